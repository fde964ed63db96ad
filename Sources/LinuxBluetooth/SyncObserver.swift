public import RecordCollector

/// Hears what a run says of itself.
public protocol SyncObserver {
  mutating func notice(_ notice: CollectorNotice)
  mutating func progress(_ progress: CollectorProgress)
  /// Something beside the run went wrong: one phrase.
  mutating func trouble(_ phrase: String)
  /// The question whether these records may be deleted from the meter; asked where a person can answer.
  func deletionQuestion(_ ranges: [ClosedRange<UInt16>], records: Int) -> String
}
