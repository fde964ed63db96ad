import BluetoothWire

/// The measurements and contexts of a transfer as they arrive, before any of them is believed.
///
/// Values stand one after another in one array, so that a record costs an append and no allocation of its own.
struct RecordBuffer: Sendable {
  /// One value.
  struct Entry: Sendable {
    /// Where its octets begin.
    var start: Int32
    var length: Int16
    var isContext: Bool
    /// The record carries its own Time Offset.
    var ownsOffset: Bool
    /// Whether `offset` says anything.
    var hasOffset: Bool
    var sequenceNumber: UInt16
    /// The Time Offset in force, minutes.
    var offset: Int16
  }

  /// The most values in one run: a measurement and a context for each number, and as many again as duplicates.
  static let capacity = 4 * 65_536

  /// The longest value of an attribute (Core Vol 3 Part F 3.2.9).
  static let longestValue = 512

  private(set) var octets: [UInt8] = []
  private(set) var entries: [Entry] = []

  var isFull: Bool { entries.count >= Self.capacity }

  mutating func append(_ value: RawSpan, isContext: Bool, sequenceNumber: UInt16, offset: Int16?) {
    entries.append(
      Entry(
        start: Int32(truncatingIfNeeded: octets.count),
        length: Int16(truncatingIfNeeded: value.byteCount),
        isContext: isContext,
        ownsOffset: !isContext && value.byteCount >= 12 && value.u8(at: 0) & 0x01 != 0,
        hasOffset: offset != nil,
        sequenceNumber: sequenceNumber,
        offset: offset ?? 0
      )
    )
    unsafe value.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
  }

  mutating func removeAll() {
    octets.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Takes out the entries from `first` on that `isWanted` does not want; their octets stay until the buffer is emptied.
  mutating func keep(from first: Int, where isWanted: (Entry) -> Bool) {
    guard first < entries.count else { return }
    let kept = entries[first...].filter(isWanted)
    entries.removeSubrange(first...)
    entries.append(contentsOf: kept)
  }

  /// Forgets the offsets that were carried over missing numbers, and gives the numbers of the records concerned.
  mutating func doubtOffsets(across gaps: [ClosedRange<UInt16>]) -> [UInt16] {
    var doubtful: [UInt16] = []
    var before: UInt16?
    var isDoubtful = false
    for index in entries.indices where !entries[index].isContext {
      let number = entries[index].sequenceNumber
      if let before, before != number {
        let between = min(before, number)...max(before, number)
        if gaps.contains(where: { $0.overlaps(between) }) { isDoubtful = true }
      }
      if entries[index].ownsOffset { isDoubtful = false }
      if isDoubtful {
        entries[index].hasOffset = false
        doubtful.append(number)
      }
      before = number
    }
    return doubtful
  }

  /// Whether the measurements begin with 0 or 1, where a meter's numbers do, and each is the one before or the next.
  var isWholeFromTheStart: Bool {
    var before: UInt16?
    for entry in entries where !entry.isContext {
      let step = Int(entry.sequenceNumber) - Int(before ?? 0)
      guard step == 0 || step == 1 else { return false }
      before = entry.sequenceNumber
    }
    return before != nil
  }

  func value(_ entry: Entry) -> [UInt8] {
    let start = Int(entry.start)
    return [UInt8](octets[start..<(start + Int(entry.length))])
  }

  func record(_ entry: Entry) -> CollectedRecord {
    CollectedRecord(
      sequenceNumber: entry.sequenceNumber,
      value: value(entry),
      offset: entry.hasOffset ? entry.offset : nil
    )
  }
}
