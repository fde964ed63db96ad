/// The records of a transfer with their contexts, each once.
struct Assembly: Sendable {
  /// In the order of their first arrival.
  var records: [CollectedRecord] = []
  /// Contexts whose measurement did not come.
  var orphans: [CollectedContext] = []
  /// How many measurements or contexts of the transfer itself were there before with the same content.
  var duplicates = 0
  /// Numbers that came with more than one content.
  var conflicting: [UInt16] = []
  /// Different sequence numbers, ascending.
  var numbers: [UInt16] = []

  /// Joins by sequence number, whatever the order of arrival (GLS 3.2.1.2).
  ///
  /// - Parameter ownValues: how many values the transfer itself brought: what was asked for once more comes twice.
  init(_ buffer: RecordBuffer, ownValues: Int = .max) {
    // The first record with each number; 0 for none, else its index and one.
    var first = [Int32](repeating: 0, count: 65_536)
    var later: [UInt16: [Int]] = [:]
    var lowest = 65_536
    var highest = -1
    records.reserveCapacity(buffer.entries.count)
    for (index, entry) in buffer.entries.enumerated() where !entry.isContext {
      let slot = Int(entry.sequenceNumber)
      lowest = min(lowest, slot)
      highest = max(highest, slot)
      let record = buffer.record(entry)
      if first[slot] == 0 {
        first[slot] = Int32(records.count + 1)
        records.append(record)
        continue
      }
      let known = [Int(first[slot]) - 1] + (later[entry.sequenceNumber] ?? [])
      if let same = known.first(where: { records[$0].hasSameContent(as: record) }) {
        if index < ownValues { duplicates += 1 }
        // The offset of a repeated record may be the only one that was sent.
        if records[same].offset == nil { records[same].offset = record.offset }
      } else if known.contains(where: { record.isBeginning(of: records[$0]) }) {
        // It came whole before.
        continue
      } else if let cut = known.first(where: { records[$0].isBeginning(of: record) }) {
        records[cut] = record
      } else {
        if later[entry.sequenceNumber] == nil { conflicting.append(entry.sequenceNumber) }
        later[entry.sequenceNumber, default: []].append(records.count)
        records.append(record)
      }
    }
    for (index, entry) in buffer.entries.enumerated() where entry.isContext {
      let context = CollectedContext(sequenceNumber: entry.sequenceNumber, value: buffer.value(entry))
      let slot = Int(first[Int(entry.sequenceNumber)])
      if slot == 0 {
        if !orphans.contains(context) {
          orphans.append(context)
        } else if index < ownValues {
          duplicates += 1
        }
        continue
      }
      // Of several records with this number the one that announces a context gets it.
      let owners = [slot - 1] + (later[entry.sequenceNumber] ?? [])
      let owner = owners.first { records[$0].promisesContext } ?? slot - 1
      if !records[owner].contexts.contains(context) {
        records[owner].contexts.append(context)
      } else if index < ownValues {
        duplicates += 1
      }
    }
    for index in records.indices {
      records[index].contextIsMissing = records[index].promisesContext && records[index].contexts.isEmpty
    }
    if lowest <= highest { for slot in lowest...highest where first[slot] != 0 { numbers.append(UInt16(slot)) } }
  }

  /// Numbers that stand between received ones, or between `floor` and the lowest, as ranges, lowest first.
  func gaps(above floor: Int) -> [ClosedRange<UInt16>] {
    var gaps: [ClosedRange<UInt16>] = []
    var next = floor
    for number in numbers where Int(number) >= floor {
      if Int(number) > next { gaps.append(UInt16(next)...(number - 1)) }
      next = Int(number) + 1
    }
    return gaps
  }

  /// The same ranges, those that touch as one, lowest first.
  static func joined(_ ranges: [ClosedRange<UInt16>]) -> [ClosedRange<UInt16>] {
    var joined: [ClosedRange<UInt16>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, Int(last.upperBound) + 1 >= Int(range.lowerBound) {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// Runs of numbers without a gap, lowest first.
  static func runs(of numbers: [UInt16]) -> [ClosedRange<UInt16>] {
    joined(numbers.map { $0...$0 })
  }
}
