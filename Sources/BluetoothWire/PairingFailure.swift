/// The reason octet of SMP Pairing Failed (Core Vol 3 Part H 3.5.5).
public struct PairingFailure: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The specification's name in lower case.
  public var name: String {
    switch rawValue {
    // Reserved; also where the capture does not hold the reason.
    case 0x00: "reason not known"
    case 0x01: "passkey entry failed"
    case 0x02: "out-of-band data not available"
    case 0x03: "authentication requirements not met"
    case 0x04: "confirm value failed"
    case 0x05: "pairing not supported"
    case 0x06: "encryption key size"
    case 0x07: "command not supported"
    case 0x08: "unspecified reason"
    case 0x09: "repeated attempts"
    case 0x0A: "invalid parameters"
    case 0x0B: "DHKey check failed"
    case 0x0C: "numeric comparison failed"
    case 0x0D: "BR/EDR pairing in progress"
    case 0x0E: "cross-transport key derivation not allowed"
    case 0x0F: "key rejected"
    case 0x10: "busy"
    default: "0x" + hex(UInt64(rawValue), digits: 2)
    }
  }
}
