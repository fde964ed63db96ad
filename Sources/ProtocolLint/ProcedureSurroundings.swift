import BluetoothWire
import HealthProfiles
import LinkTrace

/// What the rules look back and ahead for from a procedure among those of its link, found for all of them in one pass.
///
/// Indices are those of the link's procedures. A link may hold tens of thousands: no rule may search them for each one.
struct ProcedureSurroundings: Sendable {
  /// True where a count was asked for before.
  var followsCount = false
  /// The last count of the same operand, where no delete came in between.
  var count: Int?
  /// What tells last how many records of the same operand there are: a count, or a report with success of which nothing
  /// was mixed with others; nil where a delete came in between.
  var known: Int?
  /// What the reports before delivered; numbers that were mixed with others are left out, and a delete begins anew.
  var delivered = DeliveredEnds()
  /// The highest number that came in any procedure before, and in any behind.
  var highest: UInt32?
  var highestLater: UInt32?
  /// How many records there are at least, as the last count of any of them says, where no delete came in between.
  var counted: UInt32?
  /// The last procedure before that has a result.
  var lastResult: Int?
  /// The last one on the same control point with a result that was confirmed.
  var lastConfirmed: Int?
  /// True where a result on the same handle had not been confirmed when this request was sent.
  var crossesResult = false
  /// True where a request on the same control point got no result in time; where it had been accepted.
  var followsUnanswered = false
  var followsExpired = false
  /// True where the procedure it overlaps had an Abort that was not answered by a result when this request was sent.
  var followsOpenAbort = false
  /// The next procedure that may bring records.
  var nextDelivery: Int?
  /// The next one on the same control point that is no Abort and was not refused.
  var nextAccepted: Int?
  /// The earliest answer to an Abort of this one that has no result.
  var unfinishedAbort: UInt32?

  private struct ControlPoint: Hashable {
    var handle: UInt16
    var server: Side

    init(_ procedure: Procedure) {
      handle = procedure.controlPoint
      server = procedure.server
    }
  }

  /// What is remembered of the procedures on one control point.
  private struct Past {
    var lastConfirmed: Int?
    var hasUnanswered = false
    var hasExpired = false
  }

  static func all(
    _ history: borrowing LinkHistory,
    _ requests: [RecordAccessRequest],
    _ standings: [ProcedureStanding]
  ) -> [ProcedureSurroundings] {
    var all = [ProcedureSurroundings](repeating: ProcedureSurroundings(), count: history.procedures.count)
    addEarlier(history, &all)
    addStore(history, requests, standings, &all)
    addLater(history, &all)
    return all
  }

  /// Results, confirmations and Aborts before each procedure.
  private static func addEarlier(_ history: borrowing LinkHistory, _ all: inout [ProcedureSurroundings]) {
    var pasts: [ControlPoint: Past] = [:]
    var confirmedUntil: [UInt16: UInt32] = [:]
    var abortedUntil: [UInt32: UInt32] = [:]
    var (highest, lastResult): (UInt32?, Int?) = (nil, nil)
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      let controlPoint = ControlPoint(procedure)
      var past = pasts[controlPoint] ?? Past()
      all[index].lastConfirmed = past.lastConfirmed
      all[index].followsUnanswered = past.hasUnanswered
      all[index].followsExpired = past.hasExpired
      all[index].highest = highest
      all[index].lastResult = lastResult
      all[index].crossesResult = confirmedUntil[procedure.controlPoint].map { $0 > procedure.request } ?? false
      if let running = procedure.overlaps {
        all[index].followsOpenAbort = abortedUntil[running].map { $0 > procedure.request } ?? false
        if procedure.opCode == .abort { take(abort: procedure, of: running, history, &abortedUntil, &all) }
      }
      if let number = procedure.sequences.maximum { highest = max(highest ?? 0, number) }
      if procedure.result != nil {
        lastResult = index
        let confirmation = procedure.confirmation ?? .max
        confirmedUntil[procedure.controlPoint] = max(confirmedUntil[procedure.controlPoint] ?? 0, confirmation)
        if procedure.confirmation != nil { past.lastConfirmed = index }
      }
      if procedure.outcome == .unanswered {
        past.hasUnanswered = true
        if history.wasAccepted(procedure) { past.hasExpired = true }
      }
      pasts[controlPoint] = past
    }
  }

  private static func take(
    abort: Procedure,
    of running: UInt32,
    _ history: borrowing LinkHistory,
    _ abortedUntil: inout [UInt32: UInt32],
    _ all: inout [ProcedureSurroundings]
  ) {
    if history.wasAccepted(abort) || abort.answer == nil {
      abortedUntil[running] = max(abortedUntil[running] ?? 0, abort.result ?? .max)
    }
    if abort.result == nil, let answer = abort.answer {
      all[Int(running)].unfinishedAbort = min(all[Int(running)].unfinishedAbort ?? .max, answer)
    }
  }

  /// What counts and reports before each procedure tell of the store.
  private static func addStore(
    _ history: borrowing LinkHistory,
    _ requests: [RecordAccessRequest],
    _ standings: [ProcedureStanding],
    _ all: inout [ProcedureSurroundings]
  ) {
    var counts: [ControlPoint: [ArraySlice<UInt8>: Int]] = [:]
    var known: [ControlPoint: [ArraySlice<UInt8>: Int]] = [:]
    var delivered = DeliveredEnds()
    var hasCount = false
    var counted: [ControlPoint: UInt32] = [:]
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      let controlPoint = ControlPoint(procedure)
      let operand = requests[index].octets.dropFirst()
      all[index].followsCount = hasCount
      if procedure.opCode == .count { hasCount = true }
      if !counts.isEmpty { all[index].count = counts[controlPoint]?[operand] }
      if !known.isEmpty { all[index].known = known[controlPoint]?[operand] }
      all[index].delivered = delivered
      if !counted.isEmpty { all[index].counted = counted[controlPoint] }
      if procedure.opCode == .delete {
        counted[controlPoint] = nil
        counts[controlPoint] = nil
        known[controlPoint] = nil
        delivered = DeliveredEnds()
        continue
      }
      let isPlain = procedure.dialect == .health && !standings[index].isOverlapping
      if isPlain { delivered.take(procedure) }
      switch procedure.outcome {
      case .count(let number):
        counted[controlPoint] = number
        counts[controlPoint, default: [:]][operand] = index
        if isPlain { known[controlPoint, default: [:]][operand] = index }
      case .success where procedure.opCode == .report: if isPlain { known[controlPoint, default: [:]][operand] = index }
      default: continue
      }
    }
  }

  private static func addLater(_ history: borrowing LinkHistory, _ all: inout [ProcedureSurroundings]) {
    var nextDelivery: Int?
    var highest: UInt32?
    var nextAccepted: [ControlPoint: Int] = [:]
    for index in history.procedures.indices.reversed() {
      let procedure = history.procedures[index]
      let controlPoint = ControlPoint(procedure)
      all[index].nextDelivery = nextDelivery
      all[index].highestLater = highest
      if let number = procedure.sequences.maximum { highest = max(highest ?? 0, number) }
      all[index].nextAccepted = nextAccepted[controlPoint]
      if procedure.opCode.mayDeliver { nextDelivery = index }
      if case .refused = procedure.outcome { continue }
      if procedure.opCode != .abort { nextAccepted[controlPoint] = index }
    }
  }
}

/// How far the numbers and base times of several procedures reach.
struct DeliveredEnds: Sendable {
  private(set) var lowest = UInt32.max
  private(set) var highest: UInt32 = 0
  private(set) var earliest = PackedTime.none
  private(set) var latest: UInt64 = 0

  mutating func take(_ procedure: Procedure) {
    guard let low = procedure.sequences.minimum, let high = procedure.sequences.maximum else { return }
    lowest = min(lowest, low)
    highest = max(highest, high)
    earliest = min(earliest, procedure.earliest)
    latest = max(latest, procedure.latest)
  }
}
