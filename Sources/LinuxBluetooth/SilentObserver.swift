public import RecordCollector

/// Hears everything and says nothing.
public struct SilentObserver: SyncObserver {
  public init() {}
  public mutating func notice(_ notice: CollectorNotice) {}
  public mutating func progress(_ progress: CollectorProgress) {}
  public mutating func trouble(_ phrase: String) {}
  public func deletionQuestion(_ ranges: [ClosedRange<UInt16>], records: Int) -> String { "" }
}
