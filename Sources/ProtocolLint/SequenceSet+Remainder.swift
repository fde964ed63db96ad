import LinkTrace

extension SequenceSet {
  /// The numbers of a range that the set does not hold, as ranges in ascending order.
  func remainder(of range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
    var left: [ClosedRange<UInt32>] = []
    var next = range.lowerBound
    for known in ranges(overlapping: range) {
      if known.lowerBound > next { left.append(next...(known.lowerBound - 1)) }
      if known.upperBound >= range.upperBound { return left }
      next = known.upperBound + 1
    }
    left.append(next...range.upperBound)
    return left
  }

  /// How many of its numbers lie in a range.
  func count(in range: ClosedRange<UInt32>) -> Int {
    var count = 0
    for known in ranges(overlapping: range) { count += known.clamped(to: range).count }
    return count
  }

  /// Takes every number of a range out.
  mutating func remove(_ range: ClosedRange<UInt32>) {
    var kept = SequenceSet()
    for known in ranges {
      if known.lowerBound < range.lowerBound {
        kept.insert(known.lowerBound...min(known.upperBound, range.lowerBound - 1))
      }
      if known.upperBound > range.upperBound {
        kept.insert(max(known.lowerBound, range.upperBound + 1)...known.upperBound)
      }
    }
    self = kept
  }
}
