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
    ranges.endOfPrefix { $0.upperBound < number }
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

  /// The ranges that have a number in common with `range`, in ascending order.
  public func ranges(overlapping range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
    guard count > 0 else { return [] }
    var found: [ClosedRange<UInt32>] = []
    var next = Self.place(range.lowerBound, head)
    while next < head.count && head[next].lowerBound <= range.upperBound {
      found.append(head[next])
      next += 1
    }
    if tailLow <= range.upperBound && tailHigh >= range.lowerBound { found.append(tailLow...tailHigh) }
    return found
  }

  /// Adds every number of another set.
  public mutating func formUnion(_ other: SequenceSet) {
    guard other.count > 0 else { return }
    guard count > 0, let lowest = other.minimum else {
      self = other
      return
    }
    let isTailTouched = other.tailHigh >= tailLow || other.tailHigh &+ 1 == tailLow
    let touched = head.count - Self.firstTouched(lowest, head) + (isTailTouched ? 1 : 0)
    // To move what lies behind costs far less than to merge it.
    if (other.head.count + 1) * Self.mergeCost <= touched || touched <= 1 {
      for range in other.head { insert(range) }
      insert(other.tailLow...other.tailHigh)
    } else {
      merge(other, from: lowest)
    }
  }

  /// How much more a range costs to merge than to move.
  private static let mergeCost = 16

  /// Merges the ranges of another set in one pass; those that end well below its lowest number stay where they are.
  private mutating func merge(_ other: SequenceSet, from lowest: UInt32) {
    let first = Self.firstTouched(lowest, head)
    let own = head[first...] + CollectionOfOne(tailLow...tailHigh)
    let added = other.ranges
    head.removeSubrange(first...)
    count -= Self.count(own)
    var merged: [ClosedRange<UInt32>] = []
    merged.reserveCapacity(own.count + added.count)
    var (left, right) = (own.startIndex, added.startIndex)
    while left < own.endIndex || right < added.endIndex {
      let takesOwn =
        right == added.endIndex || (left < own.endIndex && own[left].lowerBound <= added[right].lowerBound)
      let range = takesOwn ? own[left] : added[right]
      if takesOwn { left += 1 } else { right += 1 }
      if let last = merged.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    guard let tail = merged.popLast() else { return }
    head += merged
    tailLow = tail.lowerBound
    tailHigh = tail.upperBound
    count += Self.count(merged) + Self.count(CollectionOfOne(tail))
  }

  private static func count(_ ranges: some Sequence<ClosedRange<UInt32>>) -> UInt64 {
    ranges.reduce(0) { $0 + UInt64($1.upperBound - $1.lowerBound) + 1 }
  }

  /// The first range that holds `number`, ends right before it, or begins after it.
  private static func firstTouched(_ number: UInt32, _ ranges: [ClosedRange<UInt32>]) -> Int {
    place(number > 0 ? number - 1 : 0, ranges)
  }

  /// Adds every number of a range.
  public mutating func insert(_ range: ClosedRange<UInt32>) {
    guard count > 0 else {
      tailLow = range.lowerBound
      tailHigh = range.upperBound
      count = Self.count(CollectionOfOne(range))
      return
    }
    if range.lowerBound >= tailLow && range.upperBound <= tailHigh { return }
    if range.lowerBound > tailHigh && range.lowerBound - 1 > tailHigh {
      head.append(tailLow...tailHigh)
      tailLow = range.lowerBound
      tailHigh = range.upperBound
      count += Self.count(CollectionOfOne(range))
      return
    }
    let low = Self.firstTouched(range.lowerBound, head)
    var end = low
    var joined = range
    while end < head.count && (range.upperBound == .max || head[end].lowerBound <= range.upperBound + 1) {
      joined = min(joined.lowerBound, head[end].lowerBound)...max(joined.upperBound, head[end].upperBound)
      end += 1
    }
    count -= Self.count(head[low..<end])
    if range.upperBound == .max || tailLow <= range.upperBound + 1 {
      // What reaches the last range has taken all that lies between.
      count -= Self.count(CollectionOfOne(tailLow...tailHigh))
      head.removeSubrange(low...)
      tailLow = min(joined.lowerBound, tailLow)
      tailHigh = max(joined.upperBound, tailHigh)
      count += Self.count(CollectionOfOne(tailLow...tailHigh))
    } else {
      head.replaceSubrange(low..<end, with: CollectionOfOne(joined))
      count += Self.count(CollectionOfOne(joined))
    }
  }
}
