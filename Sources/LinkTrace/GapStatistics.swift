/// The pauses between the records of a procedure, in microseconds.
public struct GapStatistics: Sendable, Equatable {
  /// How many pauses were measured.
  public var count: UInt32 = 0
  /// The middle one, to within three per cent.
  public var median: Int64 = 0
  /// The longest one, and the frame that ended it.
  public var longest: Int64 = 0
  public var longestFrame: UInt32 = 0
  /// From the last record to the result; nil where there was no result or no record.
  public var beforeResult: Int64?

  public init() {}
}

/// Counts pauses in buckets that grow with their size: a median without keeping or sorting them.
struct GapHistogram: Sendable {
  /// Empty until there is a pause: most links of other devices have none.
  private var buckets: [UInt32] = []
  private var total: UInt32 = 0
  /// The buckets between which all counts stand: what lies outside need not be looked at.
  private var lowest = Int.max
  private var highest = -1

  private static func bucket(_ gap: Int64) -> Int {
    let value = UInt64(max(0, gap))
    if value < 64 { return Int(value) }
    // Of a larger one the five bits behind the first.
    let shift = 58 &- value.leadingZeroBitCount
    let mantissa = Int(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: shift))
    return min(40 * 32 - 1, shift &* 32 &+ mantissa)
  }

  private static func middle(_ bucket: Int) -> Int64 {
    if bucket < 64 { return Int64(bucket) }
    let power = bucket / 32 + 4
    let low = Int64(bucket % 32 + 32) << Int64(power - 5)
    return low + (Int64(1) << Int64(power - 5)) / 2
  }

  @inline(__always)
  mutating func add(_ gap: Int64) {
    let bucket = Self.bucket(gap)
    if buckets.isEmpty { buckets = Array(repeating: 0, count: 40 * 32) }
    buckets[bucket] &+= 1
    total &+= 1
    if bucket < lowest { lowest = bucket }
    if bucket > highest { highest = bucket }
  }

  /// The middle pause; 0 where there is none.
  var median: Int64 {
    guard total > 0 else { return 0 }
    var left = Int64(total / 2)
    for bucket in lowest...highest {
      left -= Int64(buckets[bucket])
      if left < 0 { return Self.middle(bucket) }
    }
    return 0
  }

  mutating func reset() {
    guard total > 0 else { return }
    for bucket in lowest...highest { buckets[bucket] = 0 }
    total = 0
    lowest = .max
    highest = -1
  }
}
