import LinkTrace

/// The sequence numbers one sensor has delivered over all its links, told apart where its count began anew.
///
/// What a record holds is not kept: numbers and base times of the first and last record of each delivery tell.
struct DeliveredNumbers: Sendable {
  /// In the order of their delivery; the last one is in force.
  private(set) var runs: [NumberRun] = []
  /// Where in `runs` those begin that the sensor still has: what came before is gone from it.
  private(set) var current = 0
  /// The first number that is known to have come again with another base time or result.
  private(set) var changed: UInt16?
  /// True where what came before `current` had not come to its end.
  private(set) var isOpenBefore = false

  /// Beginnings that are told apart: what a hostile file has beyond counts to the last one.
  private static let runLimit = 1_000

  /// How many different numbers came of those the sensor still has.
  var count: UInt64 { runs[current...].reduce(0) { $0 + $1.sequences.count } }

  /// How many different numbers came, those of each beginning counted.
  var totalCount: UInt64 { runs.reduce(0) { $0 + $1.sequences.count } }

  /// True where numbers are lacking between those of the sensor's present memory.
  var hasGaps: Bool { runs[current...].contains { !$0.sequences.gaps.isEmpty } }

  /// True where every number of a range came, of those the sensor still has; a range of more than 16 bits did not.
  func hasCome(_ range: ClosedRange<UInt32>) -> Bool {
    range.count <= 65_536 && range.allSatisfy { number in runs[current...].contains { $0.sequences.contains(number) } }
  }

  /// True where a delivery shows that the sensor has let go of everything before and numbers anew.
  func isRestart(_ numbering: ProcedureNumbering) -> Bool {
    runs.count < Self.runLimit && begins(numbering.earlierRuns.first ?? numbering.run)
  }

  /// Adds the numbers of a delivery.
  ///
  /// - Parameter isOpen: true where what the sensor had before did not come to its end.
  mutating func take(_ numbering: ProcedureNumbering, isOpen: Bool) {
    if changed == nil { changed = numbering.change?.new.sequence }
    guard let first = numbering.earlierRuns.first else {
      take(numbering.run, endsMemory: true, isOpen: isOpen)
      return
    }
    // What one procedure brings is all in the sensor.
    take(first, endsMemory: true, isOpen: isOpen)
    for run in numbering.earlierRuns.dropFirst() { take(run, endsMemory: false, isOpen: false) }
    take(numbering.run, endsMemory: false, isOpen: false)
  }

  private mutating func take(_ run: NumberRun, endsMemory: Bool, isOpen: Bool) {
    guard !run.sequences.isEmpty else { return }
    guard runs.count < Self.runLimit, begins(run) else { return add(run) }
    runs.append(run)
    guard endsMemory else { return }
    current = runs.count - 1
    isOpenBefore = isOpenBefore || isOpen
  }

  /// Adds numbers of records outside of any procedure.
  mutating func take(_ stray: StrayRecords) {
    guard !stray.sequences.isEmpty else { return }
    var run = NumberRun()
    run.sequences = stray.sequences
    run.earliest = stray.earliest
    run.latest = stray.latest
    add(run)
  }

  /// A delivery in which every record is newer than all before and the numbers do not go on.
  private func begins(_ run: NumberRun) -> Bool {
    guard let last = runs.last, run.latest > 0, last.latest > 0, run.earliest > last.latest,
      let lowest = run.sequences.minimum, let highest = last.highest?.sequence, lowest <= UInt32(highest),
      last.sequences.maximum == UInt32(highest)
    else { return false }
    // Records that were only given another time keep their result.
    return Self.number(of: run, in: last) { $0.content == $1.content } == nil
  }

  private mutating func add(_ run: NumberRun) {
    // Records may come again of a memory with several beginnings.
    let same = runs[current...].lastIndex { run.latest > 0 && run.earliest <= $0.latest && run.latest >= $0.earliest }
    guard let place = same ?? runs.indices.last else {
      runs = [run]
      return
    }
    if changed == nil { changed = Self.number(of: run, in: runs[place]) { !$0.isSame(as: $1) } }
    runs[place].formUnion(run)
  }

  /// The first number whose record is known of both and satisfies `matches`.
  private static func number(
    of new: NumberRun,
    in old: NumberRun,
    where matches: (DeviceRecord, DeviceRecord) -> Bool
  ) -> UInt16? {
    func number(_ new: DeviceRecord?, _ old: DeviceRecord?) -> UInt16? {
      guard let new, let old, new.sequence == old.sequence, matches(old, new) else { return nil }
      return new.sequence
    }
    return number(new.lowest, old.lowest) ?? number(new.lowest, old.highest) ?? number(new.highest, old.lowest)
      ?? number(new.highest, old.highest)
  }
}
