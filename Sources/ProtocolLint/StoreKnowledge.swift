import HealthProfiles
import LinkTrace

/// What one collector has received of a sensor's store, and what the sensor has told it of the rest.
///
/// A count is an estimate (GLP 4.7.3.2): what a report that ended with success has covered since is settled, whatever
/// was counted, and by how much the sensor counted too many before is taken off.
struct StoreKnowledge {
  /// Numbers that came in any report, finished or not, and were not deleted since.
  private(set) var received = SequenceSet()
  /// Numbers of which every record that there was has come: the range of a finished report, and that of a broken-off
  /// one up to its last record, as the oldest come first (GLS 3.5).
  private(set) var covered = SequenceSet()
  /// Reports of a range of numbers, in order.
  private(set) var reports: [(step: DeviceStep, range: ClosedRange<UInt32>)] = []
  /// True where the capture does not show what came in one of the reports.
  private(set) var isUnseen = false
  private var counts: [Count] = []
  /// The most by which a count was above what its records came to.
  private var overcount = 0

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
    /// At least so many of the asked range have not.
    var missing: Int
    /// Where they are.
    var ranges: [ClosedRange<UInt32>]
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
    if let range = Self.range(selection) {
      reports.append((step, range))
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

  private mutating func cover(_ range: ClosedRange<UInt32>) {
    covered.insert(range)
    for place in counts.indices {
      counts[place].covered.insert(range)
      guard counts[place].covered.remainder(of: counts[place].range).isEmpty else { continue }
      overcount = max(overcount, counts[place].number - received.count(in: counts[place].range))
    }
  }

  /// Takes off what the collector has deleted; the counts before it hold no more.
  mutating func delete(_ range: ClosedRange<UInt32>?) {
    counts = []
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

  /// True where as many have come as were counted, so that nothing of a range is left.
  func isComplete(_ range: ClosedRange<UInt32>) -> Bool {
    counts.contains {
      $0.range.lowerBound <= range.lowerBound && $0.range.upperBound >= range.upperBound
        && $0.number <= received.count(in: $0.range)
    }
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
        ranges: inside
      )
    }
    return nil
  }
}
