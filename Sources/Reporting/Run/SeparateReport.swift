public import LinkTrace

/// A report that needs nothing of the tracker but the name of a link's device, and so can be made on a thread of its own
/// while the capture is read on.
public protocol SeparateReport: LinkConsumer, Sendable {
  /// - Parameter name: the name under which the link's device advertised, as it stood on the air.
  mutating func take(_ history: borrowing LinkHistory, advertisedName name: [UInt8]?)
}

extension SeparateReport {
  public mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    take(history, advertisedName: DeviceIdentity.advertisedName(of: history, from: tracker))
  }
}
