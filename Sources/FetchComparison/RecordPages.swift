/// Records in the order of their delivery, in pages: growing copies no record.
public struct RecordPages: Sendable {
  private var pages: [[ComparedRecord]] = []
  public private(set) var count = 0

  private static let shift = 14
  private static let pageLength = 1 << shift

  mutating func append(_ record: ComparedRecord) {
    if count & (Self.pageLength - 1) == 0 {
      // The first page grows with its records: most captures hold a few dozen.
      pages.append([])
      if count > 0 { pages[pages.count - 1].reserveCapacity(Self.pageLength) }
    }
    pages[pages.count - 1].append(record)
    count += 1
  }

  mutating func append(_ other: RecordPages, _ change: (inout ComparedRecord) -> Void) {
    for index in 0..<other.count {
      var record = other[index]
      change(&record)
      append(record)
    }
  }

  /// The record at `index`, which the caller has checked.
  public internal(set) subscript(index: Int) -> ComparedRecord {
    @inline(__always) get { pages[index >> Self.shift][index & (Self.pageLength - 1)] }
    set { pages[index >> Self.shift][index & (Self.pageLength - 1)] = newValue }
  }
}
