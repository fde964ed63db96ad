import HealthProfiles
import LinkTrace

/// The requests of one side to one device, in their order: what could have brought a record, and why it did not.
struct DeviceRequests {
  private struct Entry {
    var reference: ProcedureReference
    var selection: RecordSelection?
    var outcome: Procedure.Outcome
    /// The highest number it brought.
    var highest: UInt32?
    /// True where a count said that there were more records than the report brought.
    var broughtTooFew = false
    var startTime: Int64
  }

  private let device: FetchedDevice?
  private let side: ComparedSide
  private var reports: [Entry] = []
  /// The first report, and the last request of another kind or no kind that got no answer it can use.
  private var firstReport: ProcedureReference?
  private var lastRefused: ProcedureReference?
  /// Those that succeeded.
  private var deletions: [Entry] = []

  init(_ device: FetchedDevice?, _ side: ComparedSide) {
    self.device = device
    self.side = side
    for link in device?.links ?? [] {
      var counted: UInt32?
      for (index, summary) in side.links[link].summary.procedures.enumerated()
      where summary.procedure.dialect == .health {
        add(summary, ProcedureReference(link: link, procedure: index), &counted)
      }
    }
  }

  private mutating func add(
    _ summary: ProcedureSummary,
    _ reference: ProcedureReference,
    _ counted: inout UInt32?
  ) {
    let procedure = summary.procedure
    let selection = RecordAccessRequest(octets: summary.requestOctets).selection
    switch procedure.outcome {
    case .refused, .failed: lastRefused = reference
    default: break
    }
    switch procedure.opCode {
    case .count: if case .count(let number) = procedure.outcome, selection == .all { counted = number }
    case .report:
      var entry = Entry(
        reference: reference,
        selection: selection,
        outcome: procedure.outcome,
        highest: procedure.sequences.maximum,
        startTime: procedure.startTime
      )
      firstReport = firstReport ?? reference
      if selection == .all, let counted { entry.broughtTooFew = procedure.sequences.count < UInt64(counted) }
      // A collector that polls asks the same over and over: one stands for all.
      if let last = reports.last, last.selection == selection, last.outcome == .noRecords,
        entry.outcome == .noRecords
      {
        reports[reports.count - 1] = entry
      } else {
        reports.append(entry)
      }
    case .delete:
      guard procedure.outcome == .success else { return }
      deletions.append(
        Entry(
          reference: reference,
          selection: selection,
          outcome: .success,
          startTime: procedure.startTime
        )
      )
    default: return
    }
  }

  /// Why a record did not come.
  ///
  /// - Parameter time: when the other side received it, microseconds since 1970; nil where that is not known.
  func cause(_ record: ComparedRecord, deliveredAt time: Int64?) -> MissingCause {
    guard let device else { return .noLink }
    guard let lastLink = device.links.last else { return device.isStored ? .notStored : .noLink }
    guard let first = reports.first, let last = reports.last else {
      return unseen(device.links) ?? lastRefused.map(MissingCause.refused) ?? .nothingRequested(link: lastLink)
    }
    let number = UInt32(record.sequenceNumber)
    if let finished = reports.last(where: { !isBroken($0) && covers($0.selection, record) }) {
      return unfound(number, finished, time)
    }
    guard let asked = reports.last(where: { covers($0.selection, record) }) else {
      if let missing = unseen(device.links, only: .start) { return missing }
      let isBefore = first.selection.flatMap(\.minimum).map { number < $0 } ?? false
      return isBefore && reports.allSatisfy { !isBroken($0) }
        ? .beforeFirstRequest(firstReport ?? first.reference) : .notRequested(last.reference)
    }
    if let deletion = deletions.last(where: { covers($0.selection, record) }),
      deletion.reference > asked.reference
    {
      return .deleted(by: deletion.reference)
    }
    switch asked.outcome {
    case .refused, .failed: return .refused(asked.reference)
    case .running, .captureEnded, .notCaptured, .resultClipped:
      return unseen([asked.reference.link]) ?? .unfinished(asked.reference)
    default: break
    }
    if let next = reports.first(where: { $0.reference > asked.reference }) {
      return .skipped(by: next.reference, after: asked.reference)
    }
    return .unfinished(asked.reference)
  }

  /// A report that covers the record came to its end without it.
  private func unfound(_ number: UInt32, _ report: Entry, _ time: Int64?) -> MissingCause {
    let link = report.reference.link
    if !side.links[link].facts.contains(.noLoss) || side.links[link].unreadableRecords > 0 {
      return unseen([link]) ?? .leftOut(by: report.reference)
    }
    let isAbove = report.highest.map { number > $0 } ?? true
    // What the other side had before this report was asked for cannot have been measured since.
    let existed = time.map { $0 < report.startTime } ?? false
    return isAbove && !report.broughtTooFew && !existed
      ? .measuredLater(report.reference) : .leftOut(by: report.reference)
  }

  private func isBroken(_ entry: Entry) -> Bool {
    switch entry.outcome {
    case .success, .noRecords: false
    default: true
    }
  }

  private func covers(_ selection: RecordSelection?, _ record: ComparedRecord) -> Bool {
    let number = UInt32(record.sequenceNumber)
    switch selection {
    case nil, .first, .last: return false
    case .all: return true
    case .atMost(let maximum): return number <= maximum
    case .atLeast(let minimum): return number >= minimum
    case .within(let minimum, let maximum): return number >= minimum && number <= maximum
    case .until(let maximum): return record.userFacingTime.map { $0 <= maximum } ?? false
    case .since(let minimum): return record.userFacingTime.map { $0 >= minimum } ?? false
    case .between(let minimum, let maximum):
      return record.userFacingTime.map { $0 >= minimum && $0 <= maximum } ?? false
    }
  }

  /// The first of some links whose capture has a gap a record can have come through, and what is missing.
  private func unseen(
    _ links: [Int],
    only facts: VisibilityFacts = [.start, .noLoss, .end, .bothDirections, .whole]
  ) -> MissingCause? {
    for link in links {
      var missing = facts.subtracting(side.links[link].facts)
      // A cut value still shows its number, unless it is one of those that do not.
      if side.links[link].unreadableRecords == 0 && side.links[link].summary.counts.emptiedPDUs == 0 {
        missing.remove(.whole)
      }
      if !missing.isEmpty { return .notCaptured(link: link, missing: missing.rawValue) }
    }
    return nil
  }
}
