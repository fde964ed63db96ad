import HealthProfiles
import LinkTrace

/// What one collector has received of a sensor's store, and what the sensor has told it of the rest.
///
/// A count is an estimate (GLP 4.7.3.2): what a report that ended with success has covered since is settled, whatever
/// was counted, and by how much the sensor counted too many before is taken off. Where the sensor's count begins anew,
/// another store begins.
struct StoreKnowledge {
  /// Numbers that came in any report, finished or not, and were not deleted since.
  private(set) var received = SequenceSet()
  /// Numbers of which every record that there was has come: the range of a finished report, and that of a broken-off
  /// one up to its last record, as the oldest come first (GLS 3.5). A report that breaks off on a later link leaves open
  /// whether there are new ones by then.
  private(set) var covered = SequenceSet()
  /// Reports of a range of numbers, in order.
  private(set) var reports: [(step: DeviceStep, range: ClosedRange<UInt32>, isFinished: Bool)] = []
  /// True where the capture does not show what came in one of the reports.
  private(set) var isUnseen = false
  /// The number the first report began at; nil before it, and where it began at none.
  private(set) var firstStart: UInt32?
  private var hasReported = false
  private var counts: [Count] = []
  /// The most by which a count was above what its records came to.
  private var overcount = 0
  /// Where a count is above what its finished report brought by as many as the numbers between are: both say that those
  /// were there.
  private(set) var denied: Shortfall?

  /// A number of stored records that the sensor has told.
  private struct Count {
    var step: DeviceStep
    var range: ClosedRange<UInt32>
    var number: Int
    /// What reports have covered since.
    var covered = SequenceSet()
  }

  /// Records that were counted and have not come.
  struct Shortfall {
    /// The procedure that counted them, and its number.
    var count: DeviceStep
    var counted: Int
    /// How many of the counted ones had come.
    var received: Int
    /// At least so many of the asked range have not; exactly so many where none can lie outside of it.
    var missing: Int
    var isExact: Bool
    /// Where they are.
    var ranges: [ClosedRange<UInt32>]
    /// True where all that there was before had come in reports: what is missing is new.
    var isNew: Bool
  }

  /// The highest sequence number.
  static let last: UInt32 = 65_535

  /// The numbers a request is about; nil where it names none.
  static func range(_ selection: RecordSelection?) -> ClosedRange<UInt32>? {
    switch selection {
    case .all: 0...last
    case .atLeast(let minimum): minimum...max(minimum, last)
    case .atMost(let maximum): 0...maximum
    case .within(let minimum, let maximum) where minimum <= maximum: minimum...maximum
    default: nil
    }
  }

  /// The numbers a delete may be about: those of the oldest and the newest record lie at the ends of what has come.
  func deleted(_ selection: RecordSelection?) -> ClosedRange<UInt32>? {
    switch selection {
    case .first: 0...(received.minimum ?? Self.last)
    case .last: min(received.maximum ?? 0, Self.last)...Self.last
    default: Self.range(selection)
    }
  }

  /// Adds records that came outside of the capture's procedures.
  mutating func take(_ strays: SequenceSet) { received.formUnion(strays) }

  /// Adds a count.
  mutating func counted(_ number: UInt32, _ step: DeviceStep, _ selection: RecordSelection?) {
    guard let range = Self.range(selection) else { return }
    counts.append(Count(step: step, range: range, number: Int(number)))
    // The latest ones tell the most.
    if counts.count > 8 { counts.removeFirst() }
  }

  /// Adds a report that was not refused.
  mutating func reported(_ procedure: DeviceProcedure, _ step: DeviceStep, _ selection: RecordSelection?) {
    let highestBefore = received.maximum
    received.drop(below: procedure, Self.range(selection))
    received.formUnion(procedure.sequences)
    if procedure.isMixed || procedure.isUnseen { isUnseen = true }
    var isFinished = false
    switch procedure.outcome {
    case .success, .noRecords: isFinished = !procedure.isMixed
    default: break
    }
    // A request that was not carried out says nothing of the store.
    let isReport = isFinished || procedure.isBrokenOff || procedure.isMixed || procedure.isUnseen
    guard isReport else { return }
    let range = Self.range(selection)
    if !hasReported { firstStart = range?.lowerBound }
    hasReported = true
    if let range {
      if procedure.isBrokenOff && !procedure.isMixed { reopen(range, procedure, step, highestBefore) }
      reports.append((step, range, isFinished))
      if isFinished {
        cover(range)
      } else if !procedure.isMixed, let highest = procedure.sequences.maximum, highest >= range.lowerBound {
        cover(range.lowerBound...min(highest, range.upperBound))
      }
    } else if isFinished, selection == .first, let number = procedure.sequences.minimum {
      cover(0...number)
    } else if isFinished, selection == .last, let number = procedure.sequences.maximum {
      cover(number...max(number, Self.last))
    }
  }

  /// Takes note of a report that broke off: records newer than all that had come may be among its rest.
  private mutating func reopen(
    _ range: ClosedRange<UInt32>,
    _ procedure: DeviceProcedure,
    _ step: DeviceStep,
    _ highestBefore: UInt32?
  ) {
    let isKnown = procedure.sequences.maximum.map { $0 <= highestBefore ?? 0 } ?? true
    // On the same link there was hardly time for a new reading.
    let isFresh = reports.contains {
      $0.isFinished && $0.step.link == step.link && $0.range.lowerBound <= range.lowerBound
        && $0.range.upperBound >= range.upperBound
    }
    if isKnown && isFresh { return }
    let first = max(range.lowerBound, received.maximum.map { $0 + 1 } ?? 0)
    if first <= range.upperBound { covered.remove(first...range.upperBound) }
  }

  private mutating func cover(_ range: ClosedRange<UInt32>) {
    covered.insert(range)
    for place in counts.indices {
      counts[place].covered.insert(range)
      guard counts[place].covered.remainder(of: counts[place].range).isEmpty else { continue }
      let missing = counts[place].number - received.count(in: counts[place].range)
      overcount = max(overcount, missing)
      let gaps = received.gaps.filter { counts[place].range.overlaps($0) }
      guard missing > 0, gaps.reduce(0, { $0 + $1.count }) == missing else { continue }
      denied = Shortfall(
        count: counts[place].step,
        counted: counts[place].number,
        received: counts[place].number - missing,
        missing: missing,
        isExact: true,
        ranges: gaps,
        isNew: false
      )
    }
  }

  /// Takes off what the collector has deleted; the counts before it hold no more.
  mutating func delete(_ range: ClosedRange<UInt32>?) {
    counts = []
    denied = nil
    guard let range else { return }
    received.remove(range)
  }

  /// Drops counts that do not hold any more.
  mutating func dropCounts(before time: Int64, _ device: borrowing DeviceHistory) {
    counts.removeAll { device.procedure($0.step).startTime < time }
  }

  /// What nothing shows to have come or not to exist.
  func open(_ range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
    var known = covered
    known.formUnion(received)
    return known.remainder(of: range)
  }

  /// True where something of a range was asked for, or came.
  func hasReport(of range: ClosedRange<UInt32>) -> Bool {
    received.count(in: range) > 0 || reports.contains { $0.range.overlaps(range) }
  }

  /// What no report has asked for of a range, although higher numbers exist; numbers below the start of the first
  /// report are left out: the collector may have them from another place.
  ///
  /// - Parameter highest: the highest number that is known to exist.
  func unasked(_ range: ClosedRange<UInt32>, upTo highest: UInt32) -> [ClosedRange<UInt32>] {
    let first = max(range.lowerBound, firstStart ?? 0)
    guard first <= min(range.upperBound, highest) else { return [] }
    return open(first...min(range.upperBound, highest))
  }

  /// True where as many have come as were counted, so that nothing of a range is left.
  ///
  /// - Parameter link: counts of links before it are out of date: records may have been added.
  func isComplete(_ range: ClosedRange<UInt32>, since link: Int) -> Bool {
    counts.contains {
      $0.step.link >= link && $0.range.lowerBound <= range.lowerBound && $0.range.upperBound >= range.upperBound
        && $0.number <= received.count(in: $0.range)
    }
  }

  /// True where a count says that no more than so many records were there.
  func mayBeComplete(with came: Int) -> Bool { counts.contains { $0.number <= came } }

  /// The last count by which more records of a range or beyond it were there than have come; nil where none says so.
  func outstanding(_ range: ClosedRange<UInt32>) -> Int? {
    let count = counts.last { $0.range.overlaps(range) && !$0.covered.remainder(of: $0.range).isEmpty }
    guard let count, count.number - overcount > received.count(in: count.range) else { return nil }
    return count.number
  }

  /// What a count proves to be missing in a range.
  func shortfall(_ range: ClosedRange<UInt32>) -> Shortfall? {
    for count in counts.reversed() {
      let came = received.count(in: count.range)
      let missing = count.number - came - overcount
      guard missing > 0, count.range.overlaps(range) else { continue }
      var known = count.covered
      known.formUnion(received)
      let inside = known.remainder(of: count.range.clamped(to: range))
      let all = known.remainder(of: count.range).reduce(0) { $0 + $1.count }
      let outside = all - inside.reduce(0) { $0 + $1.count }
      guard !inside.isEmpty, missing > outside else { continue }
      return Shortfall(
        count: count.step,
        counted: count.number,
        received: came,
        missing: missing - outside,
        isExact: outside == 0,
        ranges: inside,
        isNew: covered.remainder(of: count.range).isEmpty
      )
    }
    return nil
  }
}
