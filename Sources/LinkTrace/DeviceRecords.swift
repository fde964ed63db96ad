import BluetoothWire

/// The distinct records one device has delivered, by sequence number, and where deliveries contradict earlier ones.
///
/// Numbers stand in pages of 64, so that a delivery costs the same in every order and numbers in a row lie side by side.
public struct DeviceRecords: Sendable {
  /// For each range of 64 numbers its page, counted from 1; as long as the highest range needs.
  private var pages: [UInt16] = []
  private var slots: [PackedDeviceRecord] = []
  /// Records that do not fit their place, at most one for each number.
  private var elsewhere: [DeviceRecord] = []
  /// How many different numbers came.
  public private(set) var count = 0
  /// Numbers that came again with another base time or result; the first thousand.
  public private(set) var changes: [RecordChange] = []
  public private(set) var changeCount = 0
  /// Records that came again with another Time Offset; the first thousand.
  public private(set) var moves: [RecordChange] = []
  public private(set) var moveCount = 0
  /// Where the count began anew: a number not above the highest one with the latest base time of all; the first few.
  public private(set) var restarts: [RecordChange] = []
  private var highest = DeviceRecord.empty
  private var latest = DeviceRecord.empty

  private static let pageSize = 64
  private static let changeLimit = 1_000
  private static let restartLimit = 64

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// The record of a number as it was delivered last; nil where it never came.
  public subscript(_ sequence: UInt16) -> DeviceRecord? {
    let range = Int(sequence) / Self.pageSize
    guard range < pages.count, pages[range] != 0 else { return nil }
    let place = (Int(pages[range]) - 1) * Self.pageSize + Int(sequence) % Self.pageSize
    return slots[place].isEmpty ? nil : record(place, sequence)
  }

  @inline(__always)
  private func record(_ place: Int, _ sequence: UInt16) -> DeviceRecord {
    if let index = slots[place].elsewhere { return elsewhere[index] }
    return slots[place].record(sequence)
  }

  @inline(__always)
  private mutating func put(_ record: DeviceRecord, _ place: Int) {
    if let packed = PackedDeviceRecord(record) { slots[place] = packed } else { putElsewhere(record, place) }
  }

  @inline(never)
  private mutating func putElsewhere(_ record: DeviceRecord, _ place: Int) {
    if let index = slots[place].elsewhere {
      elsewhere[index] = record
    } else {
      slots[place] = PackedDeviceRecord(elsewhere: elsewhere.count)
      elsewhere.append(record)
    }
  }

  /// Calls `body` with every number's record as it was delivered last, in ascending order of the numbers.
  public func visit(_ body: (DeviceRecord) -> Void) {
    for (range, page) in pages.enumerated() where page != 0 {
      let first = (Int(page) - 1) * Self.pageSize
      for slot in 0..<Self.pageSize where !slots[first + slot].isEmpty {
        body(record(first + slot, UInt16(truncatingIfNeeded: range * Self.pageSize + slot)))
      }
    }
  }

  /// Adds a delivery.
  @inline(__always)
  mutating func insert(_ record: DeviceRecord) {
    let range = Int(record.sequence) / Self.pageSize
    if range >= pages.count || pages[range] == 0 { addPage(range) }
    let place = (Int(pages[range]) &- 1) &* Self.pageSize &+ Int(record.sequence) % Self.pageSize
    if slots[place].isEmpty {
      count &+= 1
    } else {
      let known = self.record(place, record.sequence)
      if known.isSame(as: record) {
        if known.packedOffset != record.packedOffset || known.offset == nil { settle(record, known, place) }
        return
      }
      note(record, known)
    }
    follow(record)
    put(record, place)
  }

  /// Takes the Time Offset of a record that is there.
  @inline(never)
  private mutating func settle(_ record: DeviceRecord, _ known: DeviceRecord, _ place: Int) {
    guard record.offset != nil else { return }
    if known.offset != nil {
      moveCount += 1
      if moves.count < Self.changeLimit { moves.append(RecordChange(old: known, new: record)) }
    }
    var settled = known
    settled.packedOffset = record.packedOffset
    settled.packedContent |= DeviceRecord.offsetFlag
    put(settled, place)
  }

  @inline(never)
  private mutating func note(_ record: DeviceRecord, _ known: DeviceRecord) {
    changeCount += 1
    if changes.count < Self.changeLimit { changes.append(RecordChange(old: known, new: record)) }
  }

  @inline(__always)
  private mutating func follow(_ record: DeviceRecord) {
    guard PackedTime.isPlausible(record.time) else { return }
    let isLatest = record.time > latest.time
    if record.sequence > highest.sequence || highest.frame == 0 {
      highest = record
    } else if isLatest && record.sequence < highest.sequence {
      if restarts.count < Self.restartLimit { restarts.append(RecordChange(old: highest, new: record)) }
      highest = record
    }
    if isLatest { latest = record }
  }

  @inline(never)
  private mutating func addPage(_ range: Int) {
    if range >= pages.count { pages.append(contentsOf: repeatElement(0, count: range + 1 - pages.count)) }
    // What thousands of devices have to spare adds up: a quarter at most, and not as much again as is there.
    if slots.count + Self.pageSize > slots.capacity {
      slots.reserveCapacity(slots.count + max(Self.pageSize, slots.count / 4 / Self.pageSize * Self.pageSize))
    }
    slots.append(contentsOf: repeatElement(.empty, count: Self.pageSize))
    pages[range] = UInt16(truncatingIfNeeded: slots.count / Self.pageSize)
  }

  /// Forgets every record and keeps the storage.
  mutating func reuse() {
    var next = DeviceRecords()
    swap(&next.pages, &pages)
    swap(&next.slots, &slots)
    swap(&next.elsewhere, &elsewhere)
    next.pages.removeAll(keepingCapacity: true)
    next.slots.removeAll(keepingCapacity: true)
    next.elsewhere.removeAll(keepingCapacity: true)
    self = next
  }

  /// Every version of every record that is known, for joining; in no order.
  var versions: [DeviceRecord] {
    var all = changes.map(\.old) + moves.map(\.new)
    visit { all.append($0) }
    return all
  }
}
