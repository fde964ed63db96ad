import BluetoothWire

/// The distinct records one device has delivered, by sequence number, and where deliveries contradict earlier ones.
///
/// Numbers stand in pages of 64, so that a delivery costs the same in every order and numbers in a row lie side by side.
public struct DeviceRecords: Sendable {
  /// For each range of 64 numbers its page, counted from 1; as long as the highest range needs.
  private var pages: [UInt16] = []
  private var slots: [DeviceRecord] = []
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
    let record = slots[(Int(pages[range]) - 1) * Self.pageSize + Int(sequence) % Self.pageSize]
    return record.frame == 0 ? nil : record
  }

  /// Calls `body` with every number's record as it was delivered last, in ascending order of the numbers.
  public func visit(_ body: (DeviceRecord) -> Void) {
    for page in pages where page != 0 {
      let first = (Int(page) - 1) * Self.pageSize
      for slot in first..<(first + Self.pageSize) where slots[slot].frame != 0 { body(slots[slot]) }
    }
  }

  /// Adds a delivery.
  @inline(__always)
  mutating func insert(_ record: DeviceRecord) {
    let range = Int(record.sequence) / Self.pageSize
    if range >= pages.count || pages[range] == 0 { addPage(range) }
    let place = (Int(pages[range]) &- 1) &* Self.pageSize &+ Int(record.sequence) % Self.pageSize
    if slots[place].frame != 0 && slots[place].isSame(as: record) {
      if slots[place].packedOffset != record.packedOffset || slots[place].offset == nil { settle(record, place) }
      return
    }
    if slots[place].frame == 0 {
      count &+= 1
    } else {
      note(record, place)
    }
    follow(record)
    slots[place] = record
  }

  /// Takes the Time Offset of a record that is there.
  @inline(never)
  private mutating func settle(_ record: DeviceRecord, _ place: Int) {
    guard record.offset != nil else { return }
    if slots[place].offset != nil {
      moveCount += 1
      if moves.count < Self.changeLimit { moves.append(RecordChange(old: slots[place], new: record)) }
    }
    slots[place].packedOffset = record.packedOffset
    slots[place].packedContent |= DeviceRecord.offsetFlag
  }

  @inline(never)
  private mutating func note(_ record: DeviceRecord, _ place: Int) {
    changeCount += 1
    if changes.count < Self.changeLimit { changes.append(RecordChange(old: slots[place], new: record)) }
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
    slots.append(contentsOf: repeatElement(.empty, count: Self.pageSize))
    pages[range] = UInt16(truncatingIfNeeded: slots.count / Self.pageSize)
  }

  /// Every version of every record that is known, for joining; in no order.
  var versions: [DeviceRecord] {
    var all = changes.map(\.old) + moves.map(\.new)
    visit { all.append($0) }
    return all
  }
}
