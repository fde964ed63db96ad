/// Two records of a device that contradict each other.
public struct RecordChange: Sendable, Equatable {
  /// What was delivered first.
  public var old: DeviceRecord
  /// What was delivered later.
  public var new: DeviceRecord

  public init(old: DeviceRecord, new: DeviceRecord) {
    self.old = old
    self.new = new
  }
}
