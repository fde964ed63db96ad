import BluetoothWire
import HealthProfiles
public import LinkTrace

/// The steps of a side with one device, over all its links.
public enum FetchSteps {
  public static func of(_ device: FetchedDevice, _ side: ComparedSide) -> [FetchStep] {
    var steps: [FetchStep] = []
    for link in device.links { add(link, side.links[link], to: &steps) }
    return steps
  }

  private static func add(_ index: Int, _ link: FetchedLink, to steps: inout [FetchStep]) {
    let summary = link.summary
    let first = summary.start?.frame ?? summary.firstFrame
    let secured =
      summary.security.firstOn?.frame ?? summary.security.refusedKey?.frame ?? summary.security.failure?.frame
      ?? brokenOff(summary)
    steps.append(FetchStep(link: index, procedure: nil, frame: first, content: .link))
    steps.append(
      FetchStep(link: index, procedure: nil, frame: secured ?? first, content: .security(protection(summary)))
    )
    let isSubscribed = summary.subscriptions.contains { $0.server == summary.sensor ?? $0.server }
    steps.append(
      FetchStep(
        link: index,
        procedure: nil,
        // What is turned on, or is not, counts when the first request is made.
        frame: summary.procedures.first?.requestFrame ?? (isSubscribed ? summary.lastFrame : first),
        content: .subscriptions(subscriptions(summary))
      )
    )
    for (position, entry) in summary.procedures.enumerated() where !isMereCount(entry) {
      steps.append(
        FetchStep(
          link: index,
          procedure: position,
          frame: entry.requestFrame,
          content: .request(entry.requestOctets, isCommand: entry.isCommand)
        )
      )
      steps.append(
        FetchStep(
          link: index,
          procedure: position,
          frame: end(entry, summary),
          content: .result(result(entry.procedure), entry.procedure.sequences)
        )
      )
    }
    steps.append(FetchStep(link: index, procedure: nil, frame: summary.end.frame, content: .end(ending(summary))))
  }

  /// A count brings nothing: that one collector asks for it and the other does not is no parting, unless the request is
  /// one that no meter can answer.
  private static func isMereCount(_ entry: ProcedureSummary) -> Bool {
    entry.procedure.opCode == .count && RecordAccessRequest(octets: entry.requestOctets).isWellFormed
  }

  /// The frame a procedure ended with: that of the link where the link ended it.
  public static func end(_ entry: ProcedureSummary, _ summary: LinkSummary) -> UInt32 {
    switch entry.procedure.outcome {
    case .linkLost, .disconnected: summary.end.frame
    default: entry.frames.upperBound
    }
  }

  /// The link's encryption.
  public static func protection(_ summary: LinkSummary) -> FetchStep.Protection {
    if summary.security.firstOn != nil { return .encrypted }
    if summary.security.failure != nil || summary.security.refusedKey != nil { return .failed }
    if brokenOff(summary) != nil { return .failed }
    return summary.start == nil ? .unknown : .clear
  }

  /// Where a pairing that was begun is known to have come to nothing: its last frame, or its first.
  private static func brokenOff(_ summary: LinkSummary) -> UInt32? {
    guard let attempt = summary.security.brokenOff, !attempt.mayLackPDUs else { return nil }
    switch attempt.end {
    case .failed, .notEncrypted, .linkEnded, .timedOut: break
    case .encrypted, .controllerGone, .unseen, .open: return nil
    }
    return attempt.endFrame > 0 ? attempt.endFrame : attempt.frame
  }

  /// What was turned on before the last request; nil where a bond may have kept it from an earlier link.
  private static func subscriptions(_ summary: LinkSummary) -> [UInt8]? {
    var roles: Set<UInt8> = []
    var isTouched = false
    for subscription in summary.subscriptions where subscription.server == summary.sensor ?? subscription.server {
      isTouched = true
      guard subscription.error == 0 else { continue }
      if subscription.value == 0 {
        roles.remove(subscription.role.rawValue)
      } else {
        roles.insert(subscription.role.rawValue)
      }
    }
    if !isTouched && (summary.start == nil || summary.security.usedStoredKey) { return nil }
    return roles.sorted()
  }

  private static func result(_ procedure: Procedure) -> FetchStep.Result {
    switch procedure.outcome {
    case .running, .captureEnded, .notCaptured, .resultClipped: .unknown
    case .success: .outcome("success")
    case .noRecords: .outcome("no records")
    case .count(let number): .count(number)
    case .failed(let value): .outcome(value.name)
    case .refused(let error): .outcome("refused \(error.rawValue)")
    case .aborted: .outcome("aborted")
    case .superseded: .outcome("superseded")
    case .linkLost: .outcome("link lost")
    case .disconnected: .outcome("disconnected")
    case .unanswered: .outcome("unanswered")
    case .malformedResult: .outcome("malformed result")
    }
  }

  private static func ending(_ summary: LinkSummary) -> FetchStep.Ending {
    guard summary.end.cause == .disconnected else { return .unknown }
    if let side = summary.end.endedBy {
      guard let sensor = summary.sensor else { return .unknown }
      return side == sensor ? .sensor : .collector
    }
    return summary.end.reason.isLinkLoss ? .lost : .other
  }
}
