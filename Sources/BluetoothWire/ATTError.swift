/// The error code of an ATT Error Response (Core Vol 3 Part F 3.4.1.1).
public struct ATTError: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let readNotPermitted = ATTError(rawValue: 0x02)
  public static let insufficientAuthentication = ATTError(rawValue: 0x05)
  public static let insufficientAuthorization = ATTError(rawValue: 0x08)
  public static let attributeNotFound = ATTError(rawValue: 0x0A)
  public static let encryptionKeySize = ATTError(rawValue: 0x0C)
  public static let insufficientEncryption = ATTError(rawValue: 0x0F)
  public static let databaseOutOfSync = ATTError(rawValue: 0x12)

  /// True for the refusals that pairing or encryption would lift.
  public var asksForSecurity: Bool { rawValue == 0x05 || rawValue == 0x0C || rawValue == 0x0F }

  /// True for the refusals of a prepared part that say nothing of the value it belongs to.
  public var isAboutPreparing: Bool { [0x06, 0x07, 0x09, 0x0B, 0x0D, 0x11].contains(rawValue) }

  /// The specification's name in lower case, for codes that mean the same in every service; nil for 0x80–0x9F.
  public var name: String? {
    switch rawValue {
    case 0x01: "invalid handle"
    case 0x02: "read not permitted"
    case 0x03: "write not permitted"
    case 0x04: "invalid PDU"
    case 0x05: "insufficient authentication"
    case 0x06: "request not supported"
    case 0x07: "invalid offset"
    case 0x08: "insufficient authorization"
    case 0x09: "prepare queue full"
    case 0x0A: "attribute not found"
    case 0x0B: "attribute not long"
    case 0x0C: "encryption key size too short"
    case 0x0D: "invalid attribute value length"
    case 0x0E: "unlikely error"
    case 0x0F: "insufficient encryption"
    case 0x10: "unsupported group type"
    case 0x11: "insufficient resources"
    case 0x12: "database out of sync"
    case 0x13: "value not allowed"
    case 0xFC: "write request rejected"
    case 0xFD: "CCCD improperly configured"
    case 0xFE: "procedure already in progress"
    case 0xFF: "out of range"
    default: nil
    }
  }
}
