import BluetoothWire
import FetchComparison
import HealthProfiles
import LinkTrace

/// The cells of one link in the table of steps.
struct LinkCells: StepCells {
  private let link: FetchedLink
  private let party: ComparisonParty

  init(_ link: FetchedLink, _ party: ComparisonParty) {
    self.link = link
    self.party = party
  }

  var procedureCount: Int { link.summary.procedures.count }

  func isCount(_ procedure: Int) -> Bool { link.summary.procedures[procedure].procedure.opCode == .count }

  func text(_ row: StepRow, _ procedure: Int?) -> String {
    switch row {
    case .link: head
    case .security: security
    case .subscriptions: subscriptions
    case .end: end
    case .request, .records, .pauses, .result:
      procedure.flatMap { $0 < procedureCount ? text(row, of: $0) : nil } ?? ""
    }
  }

  private var head: String {
    let summary = link.summary
    var text = party.frame(summary.start?.frame ?? summary.firstFrame, link)
    if summary.start == nil { text += "   met in its middle" }
    if let mtu = summary.mtu { text += "   MTU \(mtu)" }
    return text
  }

  private var security: String {
    let security = link.summary.security
    var text: String
    switch FetchSteps.protection(link.summary) {
    case .encrypted:
      text = "encrypted"
      if let on = security.firstOn, link.summary.start != nil {
        text += " +" + StoryWriter.span(link.summary.firstTime, on.time)
      }
      if let paired = security.completed {
        text += "   paired"
        if let request = paired.request, let response = paired.response, !request.isCut, !response.isCut {
          text += ", " + PairingMethod(initiator: request, responder: response).rawValue
        }
      } else if security.usedStoredKey {
        text += "   with a stored key"
      }
    case .clear: text = "not encrypted"
    case .failed:
      text = "encryption failed"
      if security.failure == nil && security.refusedKey == nil, let pairing = PairingText.brokenOff(link.summary)?.last
      {
        text = pairing
      }
      if let failure = security.failure { text += "   \(failure.reason.name) #\(failure.frame)" }
      if let refused = security.refusedKey { text += "   \(refused.status.name) #\(refused.frame)" }
    case .unknown: text = "not in the capture"
    }
    return text
  }

  private var subscriptions: String {
    var seen: [String] = []
    for subscription in link.summary.subscriptions
    where subscription.server == link.summary.sensor ?? subscription.server {
      guard subscription.role != .unknown && subscription.role != .other || subscription.error != 0 else { continue }
      var label = RoleText.label(subscription.role)
      if subscription.value == 0 { label += " off" }
      if subscription.error != 0 { label += " refused" }
      if let odd = SubscriptionText.odd(subscription) { label += " \(odd)" }
      if let doubt = SubscriptionText.doubt(subscription) { label += " \(doubt)" }
      if seen.last != label { seen.append(label) }
    }
    return seen.isEmpty ? "nothing on this link" : seen.joined(separator: ", ")
  }

  private var end: String {
    let summary = link.summary
    return StoryWriter(Terminal(), .utc).ending(summary) + "   after "
      + StoryWriter.span(summary.firstTime, summary.end.time) + "   "
      + "\(summary.counts.sentPDUs + summary.counts.receivedPDUs) PDUs"
  }

  private func text(_ row: StepRow, of index: Int) -> String {
    let entry = link.summary.procedures[index]
    let procedure = entry.procedure
    switch row {
    case .request:
      return ComparisonWords.request(entry) + (entry.isCommand ? " as a command" : "")
        + "   " + party.frame(entry.requestFrame, link)
    case .records:
      guard procedure.records + procedure.contexts > 0 else { return "" }
      var text = countText(procedure.records, "record")
      if procedure.contexts > 0 { text += ", \(countText(procedure.contexts, "context"))" }
      text += ", \(link.octets[index]) octets"
      if !procedure.sequences.isEmpty { text += "   \(ComparisonWords.numbers(procedure.sequences, limit: 4))" }
      return text
    case .pauses:
      guard procedure.records + procedure.contexts > 1 else { return "" }
      return TimeText.duration(procedure.gaps.median) + " median, " + TimeText.duration(procedure.gaps.longest)
        + " longest #\(procedure.gaps.longestFrame)"
    case .result:
      return OutcomeText.full(procedure, sensor: link.summary.sensor, end: link.summary.end.cause) + ", "
        + StoryWriter.span(procedure.startTime, procedure.endTime) + "   "
        + party.frame(FetchSteps.end(entry, link.summary), link)
    default: return ""
    }
  }
}
