import BluetoothWire
import FetchComparison
import HealthProfiles
import LinkTrace

/// Numbers, counts and causes of a comparison in words.
enum ComparisonWords {
  static func readings(_ count: some BinaryInteger) -> String { countText(count, "reading") }

  /// `13–30`, `1, 4, 7–9 and 12 more ranges`.
  static func numbers(_ set: SequenceSet, limit: Int = 8) -> String {
    let ranges = set.ranges
    let text = ranges.prefix(limit).map(StoryWriter.range).joined(separator: ", ")
    return ranges.count > limit ? text + " and \(ranges.count - limit) more ranges" : text
  }

  /// True where the sensor ran two requests of a side beside each other: their records came mixed.
  static func ranAtOnce(_ side: ComparedSide) -> Bool {
    side.links.contains { link in
      link.summary.procedures.contains { $0.procedure.overlaps != nil && $0.procedure.records > 0 }
    }
  }

  /// What a request asks for: `report ≥ 31`.
  static func request(_ entry: ProcedureSummary) -> String {
    TextEscaping.terminal(RequestText.of(entry, malformed: "a malformed request"))
  }

  /// `at number 12`, `before any reading`.
  private static func reach(_ procedure: Procedure) -> String {
    procedure.sequences.maximum.map { "at number \($0)" } ?? "before any reading"
  }

  /// How a report broke off: `the link was lost`.
  private static func breach(_ procedure: Procedure, _ summary: LinkSummary) -> String {
    switch procedure.outcome {
    case .linkLost: return "the link was lost"
    case .disconnected(let side):
      guard let side, let sensor = summary.sensor else { return "the link ended" }
      return side == sensor ? "the sensor hung up" : "the collector hung up"
    case .unanswered: return "the sensor fell silent"
    case .aborted: return "the collector aborted"
    case .failed(let value): return "the sensor answered \(value.name)"
    case .refused: return "the sensor refused the request"
    case .superseded: return "another request took its place"
    case .malformedResult: return "a malformed result ended it"
    default: return "the report broke off"
    }
  }

  /// Why a side lacks records, as a clause about it: `asked for report ≥ 31 after the link was lost at number 12`.
  static func cause(_ cause: MissingCause, _ side: ComparedSide, _ party: ComparisonParty) -> String {
    func entry(_ reference: ProcedureReference) -> ProcedureSummary {
      side.links[reference.link].summary.procedures[reference.procedure]
    }
    func summary(_ reference: ProcedureReference) -> LinkSummary { side.links[reference.link].summary }
    switch cause {
    case .noLink: return "no link with this device"
    case .notStored: return "not in the store"
    case .nothingRequested: return "no records were asked for before the link ended"
    case .skipped(let next, let broken):
      return "asked for \(Self.request(entry(next))) after \(breach(entry(broken).procedure, summary(broken))) "
        + reach(entry(broken).procedure)
    case .deleted(let reference):
      return "deleted on the meter (\(Self.request(entry(reference)))) before they had come"
    case .unfinished(let reference):
      let report = entry(reference).procedure
      return "\(breach(report, summary(reference))) \(reach(report)), and nothing asked again"
    case .refused(let reference):
      let outcome = OutcomeText.full(
        entry(reference).procedure,
        sensor: summary(reference).sensor,
        end: summary(reference).end.cause
      )
      return "\(Self.request(entry(reference))) got no records (\(outcome)), and nothing asked again"
    case .leftOut(let reference):
      let outcome = OutcomeText.short(entry(reference).procedure.outcome)
      return "\(Self.request(entry(reference))) ended with \(outcome) and without them"
    case .notRequested(let reference):
      return "no request covers them; the last one was \(Self.request(entry(reference)))"
    case .beforeFirstRequest(let reference):
      return "the first request is \(Self.request(entry(reference))): they may be held from before the capture"
    case .measuredLater(let reference):
      let request = Self.request(entry(reference))
      guard let highest = entry(reference).procedure.sequences.maximum else {
        return "\(request) brought nothing: perhaps measured since"
      }
      return "above number \(highest), the last that \(request) brought: perhaps measured since"
    case .otherBaseTime: return "the same numbers stand for other base times"
    case .notCaptured: return "\(cause.missingFacts.reason): they may have come unseen"
    }
  }

  /// The link and the frame that decided it; nil where no packet shows it.
  static func frame(_ cause: MissingCause, _ side: ComparedSide) -> (link: Int, frame: UInt32)? {
    switch cause {
    case .noLink, .notStored, .otherBaseTime: return nil
    case .nothingRequested(let link): return (link, side.links[link].summary.end.frame)
    case .notCaptured(let link, _): return (link, side.links[link].summary.firstFrame)
    default: break
    }
    guard let reference = cause.procedure else { return nil }
    let summary = side.links[reference.link].summary
    let entry = summary.procedures[reference.procedure]
    switch cause {
    case .skipped, .deleted, .notRequested, .beforeFirstRequest: return (reference.link, entry.requestFrame)
    case .leftOut: return (reference.link, entry.resultFrame)
    default: return (reference.link, FetchSteps.end(entry, summary))
    }
  }

  /// The same frame as it is printed.
  static func place(_ cause: MissingCause, _ side: ComparedSide, _ party: ComparisonParty) -> String? {
    frame(cause, side).map { party.frame($0.frame, side.links[$0.link]) }
  }

  /// A name for machines.
  static func identifier(_ cause: MissingCause) -> String {
    switch cause {
    case .noLink: "no-link"
    case .notStored: "not-stored"
    case .nothingRequested: "nothing-requested"
    case .skipped: "skipped"
    case .deleted: "deleted"
    case .unfinished: "unfinished"
    case .refused: "refused"
    case .leftOut: "left-out"
    case .notRequested: "not-requested"
    case .beforeFirstRequest: "before-first-request"
    case .measuredLater: "measured-later"
    case .otherBaseTime: "other-base-time"
    case .notCaptured: "not-captured"
    }
  }
}
