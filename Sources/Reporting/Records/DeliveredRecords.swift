/// The numbers and contents one device has delivered so far: told apart at the same cost for every order of delivery.
///
/// The first content of a number stands in a page of 256 numbers, so that numbers in a row lie side by side; contents
/// that differ from the first are rare and stand in a table of their own.
struct DeliveredRecords {
  /// For each of the 256 ranges of numbers its page, counted from 1; 0 where no number of the range has come.
  private var pages: [UInt16] = []
  /// Hashes of first contents; 0 where the number has not come.
  private var firsts: [UInt32] = []
  /// Number and hash of other contents; 0 is an empty cell: open addressing.
  private var others: [UInt64] = []
  private var otherCount = 0

  /// Adds a delivery and tells what it is to those before.
  @inline(__always)
  mutating func insert(sequence: UInt16, hash: UInt32) -> RecordRow.Repetition {
    let range = Int(sequence &>> 8)
    if pages.isEmpty || pages[range] == 0 { addPage(range) }
    let content = max(1, hash)
    let place = (Int(pages[range]) &- 1) &<< 8 | Int(sequence & 255)
    let first = firsts[place]
    if first == content { return .same }
    if first != 0 { return insertOther(UInt64(sequence) &<< 32 | UInt64(content)) ? .changed : .same }
    firsts[place] = content
    return .none
  }

  @inline(never) private mutating func addPage(_ range: Int) {
    if pages.isEmpty { pages = Array(repeating: 0, count: 256) }
    firsts.append(contentsOf: repeatElement(0, count: 256))
    pages[range] = UInt16(truncatingIfNeeded: firsts.count >> 8)
  }

  /// False where the content is there already.
  @inline(never) private mutating func insertOther(_ key: UInt64) -> Bool {
    if 2 * otherCount >= others.count { grow() }
    let mask = others.count - 1
    var cell = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    while others[cell] != 0 {
      if others[cell] == key { return false }
      cell = (cell + 1) & mask
    }
    others[cell] = key
    otherCount += 1
    return true
  }

  private mutating func grow() {
    let old = others
    others = Array(repeating: 0, count: max(64, old.count * 2))
    otherCount = 0
    for key in old where key != 0 { _ = insertOther(key) }
  }
}
