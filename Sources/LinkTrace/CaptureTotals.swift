/// What a run has seen besides its links.
public struct CaptureTotals: Sendable {
  /// Records of every kind.
  public var frames: UInt64 = 0
  /// Time of the first and last HCI packet, microseconds since 1970 UTC; nil before the first.
  public var firstTime: Int64?
  public var lastTime: Int64?
  /// ACL packets on handle 0x0EDC: a chip vendor's logging inside Android captures, not Bluetooth traffic.
  public var vendorLogPackets: UInt64 = 0
  /// Links by kind.
  public var lowEnergyLinks: UInt32 = 0
  public var classicLinks: UInt32 = 0
  /// Frames too short for their own header.
  public var shortFrames: UInt64 = 0
  /// Commands and events seen at all: without them security cannot be judged.
  public var commands: UInt64 = 0
  public var events: UInt64 = 0

  public init() {}
}
