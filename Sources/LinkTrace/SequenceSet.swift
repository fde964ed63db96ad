/// The sequence numbers of a set of records, as ascending ranges that do not touch.
public struct SequenceSet: Sendable, Equatable {
  /// All ranges but the last one, in ascending order.
  private var head: [ClosedRange<UInt32>] = []
  /// The last range: records come oldest first, and nearly every number extends it. Empty while `count` is 0.
  private var tailLow: UInt32 = 0
  private var tailHigh: UInt32 = 0
  /// How many numbers the ranges hold.
  public private(set) var count: UInt64 = 0

  public init() {}

  /// Inclusive ranges in ascending order.
  public var ranges: [ClosedRange<UInt32>] { count == 0 ? [] : head + CollectionOfOne(tailLow...tailHigh) }

  public var isEmpty: Bool { count == 0 }
  public var minimum: UInt32? { count == 0 ? nil : head.first?.lowerBound ?? tailLow }
  public var maximum: UInt32? { count == 0 ? nil : tailHigh }

  /// Adds a number; false where it was there.
  @discardableResult
  public mutating func insert(_ number: UInt32) -> Bool {
    if count > 0 && number > tailHigh && number &- tailHigh == 1 {
      tailHigh = number
      count &+= 1
      return true
    }
    return insertElsewhere(number)
  }

  private mutating func insertElsewhere(_ number: UInt32) -> Bool {
    if count == 0 {
      tailLow = number
      tailHigh = number
      count = 1
      return true
    }
    if number > tailHigh {
      head.append(tailLow...tailHigh)
      tailLow = number
      tailHigh = number
      count += 1
      return true
    }
    if number >= tailLow { return false }
    return insertAmong(number)
  }

  /// Adds a number below the last range.
  private mutating func insertAmong(_ number: UInt32) -> Bool {
    let low = Self.place(number, head)
    if low < head.count && head[low].contains(number) { return false }
    count += 1
    let joinsBefore = low > 0 && head[low - 1].upperBound + 1 == number
    let isBeforeTail = low == head.count
    let joinsAfter = number + 1 == (isBeforeTail ? tailLow : head[low].lowerBound)
    if joinsAfter && isBeforeTail {
      tailLow = joinsBefore ? head.removeLast().lowerBound : number
    } else if joinsAfter && joinsBefore {
      head[low - 1] = head[low - 1].lowerBound...head[low].upperBound
      head.remove(at: low)
    } else if joinsAfter {
      head[low] = number...head[low].upperBound
    } else if joinsBefore {
      head[low - 1] = head[low - 1].lowerBound...number
    } else {
      head.insert(number...number, at: low)
    }
    return true
  }

  /// The first range that does not end before `number`.
  private static func place(_ number: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func adopt(_ ranges: [ClosedRange<UInt32>]) {
    count = ranges.reduce(0) { $0 + UInt64($1.upperBound - $1.lowerBound) + 1 }
    guard let last = ranges.last else { return }
    tailLow = last.lowerBound
    tailHigh = last.upperBound
    head = Array(ranges.dropLast())
  }

  public func contains(_ number: UInt32) -> Bool {
    if count == 0 || number > tailHigh { return false }
    if number >= tailLow { return true }
    let low = Self.place(number, head)
    return low < head.count && head[low].contains(number)
  }

  /// The numbers between the lowest and the highest that are not there, as ranges.
  public var gaps: [ClosedRange<UInt32>] {
    let all = ranges
    guard all.count > 1 else { return [] }
    return (1..<all.count).map { (all[$0 - 1].upperBound + 1)...(all[$0].lowerBound - 1) }
  }

  /// Adds every number of another set.
  public mutating func formUnion(_ other: SequenceSet) {
    if count == 0 {
      self = other
      return
    }
    for range in other.ranges { insert(range) }
  }

  /// Adds every number of a range.
  public mutating func insert(_ range: ClosedRange<UInt32>) {
    if count > 0 && range.lowerBound >= tailLow && range.upperBound <= tailHigh { return }
    var all = ranges
    var low = 0
    while low < all.count && range.lowerBound > 0 && all[low].upperBound < range.lowerBound - 1 { low += 1 }
    var first = range.lowerBound
    var last = range.upperBound
    var end = low
    while end < all.count && (last == .max || all[end].lowerBound <= last + 1) {
      first = min(first, all[end].lowerBound)
      last = max(last, all[end].upperBound)
      end += 1
    }
    all.replaceSubrange(low..<end, with: CollectionOfOne(first...last))
    adopt(all)
  }
}
