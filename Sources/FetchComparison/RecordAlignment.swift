/// The records of one device on both sides, put beside each other by base time and sequence number.
public struct RecordAlignment: Sendable {
  public private(set) var first = AlignedSide()
  public private(set) var second = AlignedSide()
  /// Records on both sides.
  public private(set) var common = 0
  /// Records of one side alone: indices into its records, by number.
  public private(set) var onlyFirst: [UInt32] = []
  public private(set) var onlySecond: [UInt32] = []
  /// Records on both sides with other content; the first `changeLimit` of them.
  public private(set) var changes: [ChangedRecord] = []
  public private(set) var changeCount = 0
  /// Numbers that only one record of each side has, with another base time each.
  public private(set) var renumbered = 0

  /// Changed records kept one by one; beyond it they are counted.
  public static let changeLimit = 100_000
  /// Deliveries of one record whose contents are compared with each other.
  private static let contentLimit = 16

  init(_ left: FetchedDevice?, _ right: FetchedDevice?, _ firstSide: ComparedSide, _ secondSide: ComparedSide) {
    let one = Deliveries(left, firstSide)
    let other = Deliveries(right, secondSide)
    for number in 0..<(1 << 16) {
      let runs = one.runs(number)
      let others = other.runs(number)
      if runs.isEmpty && others.isEmpty { continue }
      align(runs, others, one, other)
    }
  }

  /// Aligns the records of one number: base times ascend on both sides.
  private mutating func align(_ runs: [Range<Int>], _ others: [Range<Int>], _ one: Deliveries, _ other: Deliveries) {
    for run in runs { one.count(run, &first) }
    for run in others { other.count(run, &second) }
    var left = 0
    var right = 0
    var lone: [Range<Int>] = []
    var loneOthers: [Range<Int>] = []
    while left < runs.count || right < others.count {
      let time = left < runs.count ? one.time(runs[left]) : .max
      let otherTime = right < others.count ? other.time(others[right]) : .max
      if time == otherTime {
        pair(runs[left], others[right], one, other)
        left += 1
        right += 1
      } else if time < otherTime {
        lone.append(runs[left])
        left += 1
      } else {
        loneOthers.append(others[right])
        right += 1
      }
    }
    // A record cut before its base time is the one of its number where there is no choice.
    if lone.count == 1, loneOthers.count == 1, one.time(lone[0]) == 0 || other.time(loneOthers[0]) == 0 {
      return pair(lone[0], loneOthers[0], one, other)
    }
    // Beside a whole one it is one more delivery of that.
    if lone.count > 0, one.time(lone[0]) == 0, !others.isEmpty {
      lone.removeFirst()
      first.records -= 1
    }
    if loneOthers.count > 0, other.time(loneOthers[0]) == 0, !runs.isEmpty {
      loneOthers.removeFirst()
      second.records -= 1
    }
    if lone.count == 1 && loneOthers.count == 1 { renumbered += 1 }
    onlyFirst += lone.map { one.order.indices[$0.lowerBound] }
    onlySecond += loneOthers.map { other.order.indices[$0.lowerBound] }
  }

  private mutating func pair(_ run: Range<Int>, _ match: Range<Int>, _ one: Deliveries, _ other: Deliveries) {
    common += 1
    var found: ChangedRecord?
    for left in run.prefix(Self.contentLimit) {
      for right in match.prefix(Self.contentLimit) {
        let fields = Deliveries.differences(one, left, other, right)
        if fields.isEmpty { return }
        if found == nil {
          found = ChangedRecord(
            first: Int(one.order.indices[left]),
            second: Int(other.order.indices[right]),
            fields: fields
          )
        }
      }
    }
    guard let found else { return }
    changeCount += 1
    if changes.count < Self.changeLimit { changes.append(found) }
  }
}
