/// The six octets both sides of a pairing exchange (Core Vol 3 Part H 3.5.1, 3.5.2).
public struct PairingFeatures: Hashable, Sendable {
  /// 0 display only, 1 display yes/no, 2 keyboard only, 3 no input no output, 4 keyboard and display.
  public var ioCapability: UInt8
  /// True where out-of-band data is there.
  public var hasOutOfBandData: Bool
  /// Bits 0–1 bonding, 2 MITM, 3 Secure Connections, 4 keypress, 5 CT2.
  public var authentication: UInt8
  /// The longest key the side offers, 7–16 octets.
  public var maximumKeySize: UInt8
  /// Keys the initiator will distribute: 1 encryption, 2 identity, 4 signing, 8 link key.
  public var initiatorKeys: UInt8
  /// Keys the responder will distribute, likewise.
  public var responderKeys: UInt8
  /// How many of the six octets the capture holds: what lacks reads as zero and says nothing.
  public var heldOctets: Int

  /// True where the capture does not hold the octets up to the key size.
  public var isCut: Bool { heldOctets < 4 }
  /// True where the capture does not hold which keys will be distributed.
  public var lacksKeys: Bool { heldOctets < Self.octetCount }

  private static let octetCount = 6
  /// Where packed features tell how many of their octets are missing.
  private static let missingShift: UInt64 = 56

  /// Packs the octets after the code of a Pairing Request or Response, as many as the capture holds.
  public static func packed(_ octets: RawSpan) -> UInt64 {
    let held = min(octetCount, octets.byteCount)
    var value = UInt64(octetCount - held) << missingShift
    for place in 0..<held { value |= UInt64(octets.u8(at: place)) << (8 * UInt64(place)) }
    return value
  }

  /// The octets after the code of a Pairing Request or Response, packed as they stand, and how many of them are missing.
  public init(packed: UInt64) {
    heldOctets = max(0, Self.octetCount - Int(packed >> Self.missingShift & 7))
    ioCapability = UInt8(truncatingIfNeeded: packed)
    hasOutOfBandData = UInt8(truncatingIfNeeded: packed >> 8) != 0
    authentication = UInt8(truncatingIfNeeded: packed >> 16)
    maximumKeySize = UInt8(truncatingIfNeeded: packed >> 24)
    initiatorKeys = UInt8(truncatingIfNeeded: packed >> 32)
    responderKeys = UInt8(truncatingIfNeeded: packed >> 40)
  }

  public var wantsBonding: Bool { authentication & 3 == 1 }
  public var wantsMITM: Bool { authentication & 4 != 0 }
  public var hasSecureConnections: Bool { authentication & 8 != 0 }

  /// The capability in words.
  public var ioCapabilityName: String {
    switch ioCapability {
    case 0: "display only"
    case 1: "display yes/no"
    case 2: "keyboard only"
    case 3: "no input no output"
    case 4: "keyboard display"
    default: "IO capability \(ioCapability)"
    }
  }
}
