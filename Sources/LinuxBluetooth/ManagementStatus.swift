/// The status of a management command, or the reason an event gives; an unknown one keeps its number.
public struct ManagementStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }
  init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public static let success = ManagementStatus(0x00)
  public static let unknownCommand = ManagementStatus(0x01)
  public static let notConnected = ManagementStatus(0x02)
  public static let failed = ManagementStatus(0x03)
  public static let connectFailed = ManagementStatus(0x04)
  public static let authenticationFailed = ManagementStatus(0x05)
  public static let notPaired = ManagementStatus(0x06)
  public static let timeout = ManagementStatus(0x08)
  public static let busy = ManagementStatus(0x0A)
  public static let rejected = ManagementStatus(0x0B)
  public static let notSupported = ManagementStatus(0x0C)
  public static let notPowered = ManagementStatus(0x0F)
  public static let invalidIndex = ManagementStatus(0x11)
  public static let blocked = ManagementStatus(0x12)
  public static let permissionDenied = ManagementStatus(0x14)

  private static let names = [
    "success", "unknown command", "not connected", "failed", "connect failed", "authentication failed", "not paired",
    "no resources", "timeout", "already connected", "busy", "rejected", "not supported", "invalid parameters",
    "disconnected", "not powered", "cancelled", "invalid index", "blocked by rfkill", "already paired",
    "permission denied",
  ]

  /// In words; the number for an unknown one.
  public var name: String {
    Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "status \(rawValue)"
  }
}
