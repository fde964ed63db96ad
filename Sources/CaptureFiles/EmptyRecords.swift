/// Records in a row that hold no packet at all: a file system's zeros behind a log, or a file made to be long.
struct EmptyRecords: Sendable {
  /// No logger writes as many empty records in a row.
  private static let bound: UInt32 = 1_024

  private var count: UInt32 = 0
  /// The frame of the record counted last.
  private var last: UInt32 = 0

  /// Counts a record that holds nothing; true where there have been too many in a row to follow the last one.
  mutating func take(after frame: UInt32) -> Bool {
    if frame != last { count = 0 }
    last = frame &+ 1
    count += 1
    return count > Self.bound
  }
}

extension CaptureReader {
  /// Takes notice of a record without octets at the window's start; false where the capture ends with it.
  ///
  /// - Parameter header: the length of a record's header where one of zeros is possible.
  @inline(never)
  mutating func goesOnWithEmptyRecord(header: Int? = nil) -> Bool {
    let isNothing = if let header { isZeroed(header) } else { false }
    if isNothing || empties.take(after: frameCount) {
      ended = true
      log.add(.emptyRecords, frame: frameCount &+ 1, amount: window.taken)
      return false
    }
    return true
  }

  /// True where this record and those after it, as far as they are there, are nothing but zeros.
  private mutating func isZeroed(_ header: Int) -> Bool {
    for place in 0..<header where window.u8(place) != 0 { return false }
    let looked = 16 * header
    _ = window.have(looked)
    let count = min(window.available, looked)
    for place in header..<count where window.u8(place) != 0 { return false }
    return count >= 2 * header
  }
}
