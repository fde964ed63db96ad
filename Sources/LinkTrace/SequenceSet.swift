/// The sequence numbers of a set of records, as ascending ranges that do not touch.
public struct SequenceSet: Sendable, Equatable {
  /// Inclusive ranges in ascending order.
  public private(set) var ranges: [ClosedRange<UInt32>] = []
  /// How many numbers the ranges hold.
  public private(set) var count: UInt32 = 0

  public init() {}

  public var isEmpty: Bool { ranges.isEmpty }
  public var minimum: UInt32? { ranges.first?.lowerBound }
  public var maximum: UInt32? { ranges.last?.upperBound }

  /// Adds a number; false where it was there.
  @discardableResult
  public mutating func insert(_ number: UInt32) -> Bool {
    // Records come oldest first: nearly every number extends the last range.
    if let last = ranges.last {
      if number > last.upperBound {
        if number - last.upperBound == 1 {
          ranges[ranges.count - 1] = last.lowerBound...number
        } else {
          ranges.append(number...number)
        }
        count += 1
        return true
      }
    } else {
      ranges.append(number...number)
      count = 1
      return true
    }
    return insertAmong(number)
  }

  private mutating func insertAmong(_ number: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    if low < ranges.count && ranges[low].contains(number) { return false }
    count += 1
    let joinsBefore = low > 0 && ranges[low - 1].upperBound + 1 == number
    let joinsAfter = low < ranges.count && number + 1 == ranges[low].lowerBound
    if joinsBefore && joinsAfter {
      ranges[low - 1] = ranges[low - 1].lowerBound...ranges[low].upperBound
      ranges.remove(at: low)
    } else if joinsBefore {
      ranges[low - 1] = ranges[low - 1].lowerBound...number
    } else if joinsAfter {
      ranges[low] = number...ranges[low].upperBound
    } else {
      ranges.insert(number...number, at: low)
    }
    return true
  }

  public func contains(_ number: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(number)
  }

  /// The numbers between the lowest and the highest that are not there, as ranges.
  public var gaps: [ClosedRange<UInt32>] {
    guard ranges.count > 1 else { return [] }
    return (1..<ranges.count).map { (ranges[$0 - 1].upperBound + 1)...(ranges[$0].lowerBound - 1) }
  }

  /// Adds every number of another set.
  public mutating func formUnion(_ other: SequenceSet) {
    if ranges.isEmpty {
      self = other
      return
    }
    var merged: [ClosedRange<UInt32>] = []
    merged.reserveCapacity(ranges.count + other.ranges.count)
    var own = 0
    var theirs = 0
    while own < ranges.count || theirs < other.ranges.count {
      let isOwn =
        theirs == other.ranges.count
        || (own < ranges.count && ranges[own].lowerBound <= other.ranges[theirs].lowerBound)
      let next = isOwn ? ranges[own] : other.ranges[theirs]
      if isOwn { own += 1 } else { theirs += 1 }
      if let last = merged.last, last.upperBound == .max || next.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
      } else {
        merged.append(next)
      }
    }
    ranges = merged
    count = Self.total(merged)
  }

  /// How many numbers ranges hold; all 2^32 of them count as one less.
  private static func total(_ ranges: [ClosedRange<UInt32>]) -> UInt32 {
    UInt32(clamping: ranges.reduce(into: UInt64(0)) { $0 += UInt64($1.upperBound - $1.lowerBound) + 1 })
  }

  /// Adds every number of a range.
  public mutating func insert(_ range: ClosedRange<UInt32>) {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore = range.lowerBound > 0 && ranges[middle].upperBound < range.lowerBound - 1
      if isBefore { low = middle + 1 } else { high = middle }
    }
    var first = range.lowerBound
    var last = range.upperBound
    var end = low
    while end < ranges.count && (last == .max || ranges[end].lowerBound <= last + 1) {
      first = min(first, ranges[end].lowerBound)
      last = max(last, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(low..<end, with: CollectionOfOne(first...last))
    count = Self.total(ranges)
  }
}
