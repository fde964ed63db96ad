/// The numbers and contents one device has delivered so far: told apart at the same cost for every order of delivery.
struct DeliveredRecords {
  /// One bit for each of the 65,536 sequence numbers; empty before the first.
  private var numbers: [UInt64] = []
  /// Number and content hash plus one, so that zero is an empty cell: open addressing.
  private var contents: [UInt64] = []
  private var count = 0

  /// Adds a delivery and tells what it is to those before.
  @inline(__always)
  mutating func insert(sequence: UInt16, hash: UInt32) -> RecordRow.Repetition {
    if numbers.isEmpty { start() }
    if 2 * count >= contents.count { grow() }
    let key = (UInt64(sequence) << 32 | UInt64(hash)) + 1
    let word = Int(sequence >> 6)
    let bit: UInt64 = 1 << UInt64(sequence & 63)
    let isKnown = numbers[word] & bit != 0
    if !isKnown { numbers[word] |= bit }
    return place(key) ? (isKnown ? .changed : .none) : .same
  }

  private mutating func start() {
    numbers = Array(repeating: 0, count: 1_024)
    contents = Array(repeating: 0, count: 256)
  }

  /// False where the key is there already.
  @inline(__always)
  private mutating func place(_ key: UInt64) -> Bool {
    let mask = contents.count - 1
    var cell = Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 32) & mask
    while contents[cell] != 0 {
      if contents[cell] == key { return false }
      cell = (cell + 1) & mask
    }
    contents[cell] = key
    count += 1
    return true
  }

  @inline(never) private mutating func grow() {
    let old = contents
    contents = Array(repeating: 0, count: old.count * 2)
    count = 0
    for key in old where key != 0 { _ = place(key) }
  }
}
