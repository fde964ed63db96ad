/// A status or disconnect reason of the controller (Core Vol 1 Part F).
public struct ControllerError: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let success = ControllerError(rawValue: 0x00)
  public static let keyMissing = ControllerError(rawValue: 0x06)
  public static let remoteUser = ControllerError(rawValue: 0x13)
  public static let localHost = ControllerError(rawValue: 0x16)

  /// True for the reasons the health profiles call link loss: supervision and response time-outs, a bad MIC.
  public var isLinkLoss: Bool { rawValue == 0x08 || rawValue == 0x22 || rawValue == 0x3D }

  /// True for the reasons that say the other side hung up.
  public var isByPeer: Bool { rawValue == 0x13 || rawValue == 0x14 || rawValue == 0x15 }

  /// The specification's name in lower case.
  public var name: String {
    switch rawValue {
    case 0x00: "success"
    case 0x02: "unknown connection"
    case 0x05: "authentication failure"
    case 0x06: "PIN or key missing"
    case 0x07: "memory capacity exceeded"
    case 0x08: "connection timeout"
    case 0x09: "connection limit exceeded"
    case 0x0C: "command disallowed"
    case 0x0D: "rejected, limited resources"
    case 0x0E: "rejected, security reasons"
    case 0x12: "invalid parameters"
    case 0x13: "remote user terminated"
    case 0x14: "remote device low on resources"
    case 0x15: "remote device powered off"
    case 0x16: "local host terminated"
    case 0x17: "repeated attempts"
    case 0x18: "pairing not allowed"
    case 0x1A: "unsupported remote feature"
    case 0x1F: "unspecified error"
    case 0x22: "link layer response timeout"
    case 0x23: "link layer collision"
    case 0x28: "instant passed"
    case 0x29: "unit key pairing not supported"
    case 0x2A: "different transaction collision"
    case 0x2F: "insufficient security"
    case 0x3A: "controller busy"
    case 0x3B: "unacceptable connection parameters"
    case 0x3C: "advertising timeout"
    case 0x3D: "MIC failure"
    case 0x3E: "connection failed to be established"
    case 0x43: "limit reached"
    case 0x44: "cancelled by host"
    default: "0x" + hex(UInt64(rawValue), digits: 2)
    }
  }
}
