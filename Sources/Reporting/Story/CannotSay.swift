import BluetoothWire
import LinkTrace
import ProtocolLint

/// What the capture does not show of a link, in words: absence here did not necessarily not happen.
enum CannotSay {
  static func reasons(_ summary: LinkSummary, _ verdicts: LinkVerdicts, isFirst: Bool) -> [String] {
    var reasons: [String] = []
    if summary.start == nil {
      reasons.append("how the link began, its parameters and its encryption: the capture starts in its middle")
    }
    if summary.counts.clippedPDUs + summary.counts.emptiedPDUs > 0 {
      reasons.append(clipped(summary))
    }
    if summary.counts.lostPackets > 0 {
      reasons.append("what was in the \(summary.counts.lostPackets) packets the logger lost while the link was up")
    }
    if summary.counts.brokenFragments > 0 {
      let count = summary.counts.brokenFragments
      reasons.append(
        "what was in \(countText(count, "packet")) of the link that did not come whole: fragments are missing"
      )
    }
    if let weakest = summary.healthHandles.map(\.provenance).min(), weakest <= .inferred {
      let isWeak = weakest == .inferredWeak
      reasons.append(
        isWeak
          ? "which service the record access belongs to: nothing in the capture discovers it (supply names with --gatt)"
          : "the handles' names for certain: they are inferred from their traffic (supply names with --gatt)"
      )
    }
    if isFirst && summary.security.pairing != nil {
      reasons.append("whether this sensor was bonded before: the capture starts with pairing")
    }
    switch summary.security.completed?.bond {
    case .lacksRest:
      reasons.append(
        "whether both sides keep the bond: not all keys that they agreed on were handed over before "
          + ([.open, .captureEnded].contains(summary.end.cause) ? "the capture ends" : "the link ended")
      )
    case .unknown: reasons.append("whether the two bonded: packets of their pairing are missing or cut")
    case .made, .notAskedFor, .lacksKey, .failed, nil: break
    }
    if !summary.procedures.isEmpty && subscriptionsUnknown(summary) {
      reasons.append("whether notifications and indications were on: they were not set on this link and may persist")
    }
    let isInDoubt = summary.subscriptions.contains {
      $0.server == summary.sensor && $0.error == 0 && SubscriptionText.doubt($0) != nil
        && ($0.role.isControlPoint || $0.role.isRecord || $0.role == .glucoseContext)
    }
    if !summary.procedures.isEmpty && isInDoubt {
      reasons.append(
        "whether the sensor holds every subscription: one was written by a command, which nothing answers, or not as two "
          + "octets"
      )
    }
    if summary.security.pairing == nil && summary.security.usedStoredKey && isFirst {
      reasons.append("how the stored key was made: its pairing is not in the capture")
    }
    switch summary.end.cause {
    case .captureEnded: reasons.append("how the link ended: it is still up when the capture ends")
    case .superseded: reasons.append("how the link ended: its handle was given to a new link unseen")
    case .open, .disconnected, .controllerGone: break
    }
    return reasons + unjudged(summary, verdicts)
  }

  /// What rules could not judge: those with the same reason on one line.
  private static func unjudged(_ summary: LinkSummary, _ verdicts: LinkVerdicts) -> [String] {
    var lines: [(rules: [String], reason: String)] = []
    for verdict in verdicts.inconclusive where verdict.rule.area != "CAP" && isWorthSaying(verdict, summary) {
      let rule = "\(verdict.rule)"
      if let line = lines.firstIndex(where: { $0.reason == verdict.reason }) {
        if !lines[line].rules.contains(rule) { lines[line].rules.append(rule) }
      } else {
        lines.append(([rule], verdict.reason))
      }
    }
    return lines.map { $0.rules.joined(separator: ", ") + ": " + $0.reason }
  }

  /// The reasons above already say why a rule could not judge, where the link's own gaps are the cause.
  private static func isWorthSaying(_ verdict: LinkVerdicts.Inconclusive, _ summary: LinkSummary) -> Bool {
    !summary.procedures.isEmpty && summary.start != nil && summary.counts.clippedPDUs == 0
      && summary.counts.lostPackets == 0 && summary.end.cause == .disconnected
  }

  private static func clipped(_ summary: LinkSummary) -> String {
    let octets = summary.counts.clippedTo
    let kept = octets == 0 ? "" : " to as few as \(octets) octets"
    return "readings and results in full: the logger cut packets\(kept); capture in full mode"
  }

  private static func subscriptionsUnknown(_ summary: LinkSummary) -> Bool {
    guard summary.security.usedStoredKey || summary.start == nil, !summary.hasStoredSubscriptions else { return false }
    return !summary.subscriptions.contains { $0.role.isControlPoint }
  }
}
