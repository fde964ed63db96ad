/// The settings of an adapter as the management interface gives them.
public struct ManagementSettings: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let powered = ManagementSettings(rawValue: 1 << 0)
  public static let connectable = ManagementSettings(rawValue: 1 << 1)
  public static let discoverable = ManagementSettings(rawValue: 1 << 3)
  public static let bondable = ManagementSettings(rawValue: 1 << 4)
  public static let simplePairing = ManagementSettings(rawValue: 1 << 6)
  public static let classic = ManagementSettings(rawValue: 1 << 7)
  public static let lowEnergy = ManagementSettings(rawValue: 1 << 9)
  public static let advertising = ManagementSettings(rawValue: 1 << 10)
  public static let secureConnections = ManagementSettings(rawValue: 1 << 11)
  public static let privacy = ManagementSettings(rawValue: 1 << 13)
}
