import BluetoothWire
import HealthProfiles
import LinkTrace
import ProtocolLint

extension StoryWriter {
  mutating func write(_ link: StoryLink, of device: StoryDevice, to output: inout OutputBuffer) {
    let summary = link.summary
    var head = role(summary) + ", hci\(summary.adapter) handle \(summary.handle)   "
    head += otherDay(summary.firstTime) + clock(summary.firstTime)
    head += " +" + Self.span(summary.firstTime, summary.end.time) + "   "
    head += ending(summary) + "   #\(summary.firstFrame)–#\(max(summary.lastFrame, summary.firstFrame))"
    let label = "  link \(summary.number)   "
    line(label, head, .heading, to: &output)
    if device.key.isLocal, let peer = summary.peerIdentity {
      line("    collector   ", "\(peer) (\(peer.kind.rawValue))", .plain, to: &output)
    } else if let start = summary.start, let identity = summary.peerIdentity, start.peer != identity {
      line("    address     ", "\(start.peer) (\(start.peer.kind.rawValue)), resolved", .plain, to: &output)
    }
    if let text = parameters(summary) { line("    parameters  ", text, .plain, to: &output) }
    let protection = security(summary)
    line("    security    ", protection.text, protection.role, to: &output)
    line("    attributes  ", attributes(summary), .plain, to: &output)
    line("    subscribed  ", subscriptions(summary), .plain, to: &output)
    write(proceduresOf: summary, to: &output)
    if summary.procedures.isEmpty && summary.sensor != nil && summary.unaskedResults.isEmpty {
      let text = summary.hidden.map(HiddenText.of) ?? "nothing was requested on this link"
      line("    racp        ", text, .warning, to: &output)
    }
    for refusal in summary.refusals {
      let error = ProfileErrors.profileErrorName(code: refusal.error.rawValue, service: 0x1808)
      let name = RoleText.label(refusal.role)
      line(
        "    refused     ",
        "\(refusal.request.name) of \(name): \(refusal.error.name ?? error) "
          + "(0x\(hex(UInt64(refusal.error.rawValue), digits: 2)))   #\(refusal.frame)",
        .warning,
        to: &output
      )
    }
    write(strays: summary, to: &output)
    write(findingsOf: link, to: &output)
    for reason in CannotSay.reasons(summary, link.verdicts, isFirst: link.ordinal == 1) {
      line("    cannot say  ", reason, .dim, to: &output)
    }
  }

  private func role(_ summary: LinkSummary) -> String {
    guard let start = summary.start else { return "role unknown" }
    return start.isCentral ? "central" : "peripheral"
  }

  func ending(_ summary: LinkSummary) -> String {
    let code = "(0x" + hex(UInt64(summary.end.reason.rawValue), digits: 2) + ")"
    switch summary.end.cause {
    case .open: return "still up"
    case .captureEnded: return "still up when the capture ends"
    case .controllerGone: return "cut off: the controller was reset or closed"
    case .superseded: return "its end is not in the capture"
    case .disconnected:
      if let side = summary.end.endedBy {
        guard let sensor = summary.sensor else {
          return (side == .local ? "ended by this host " : "ended by the peer ") + code
        }
        return side == sensor ? "ended by the sensor \(code)" : "ended by the collector's host \(code)"
      }
      if summary.end.reason.isLinkLoss { return "link lost, \(summary.end.reason.name) \(code)" }
      return "ended, \(summary.end.reason.name) \(code)"
    }
  }

  private func parameters(_ summary: LinkSummary) -> String? {
    guard let start = summary.start else { return nil }
    var text = "cut by the logger"
    var latency: UInt16?
    var timeout: UInt16?
    if start.interval > 0 {
      (latency, timeout) = (start.latency, start.supervisionTimeout)
      text = interval(start.interval) + " interval, latency \(start.latency), timeout "
      text += TimeText.duration(Int64(start.supervisionTimeout) * 10_000)
    }
    for update in summary.radio.updates.suffix(3) {
      text += "; then " + interval(update.interval)
      if update.latency != latency { text += ", latency \(update.latency)" }
      if update.supervisionTimeout != timeout {
        text += ", timeout " + TimeText.duration(Int64(update.supervisionTimeout) * 10_000)
      }
      (latency, timeout) = (update.latency, update.supervisionTimeout)
    }
    if let phy = summary.radio.phy { text += "   " + phy }
    if let octets = summary.radio.dataOctets { text += "   \(octets)-octet packets" }
    return text
  }

  /// Connection intervals count in units of 1.25 ms.
  private func interval(_ units: UInt16) -> String {
    let hundredths = Int(units) * 125
    let whole = hundredths / 100
    let rest = hundredths % 100
    if rest == 0 { return "\(whole) ms" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10) ms" : "\(whole).\(rest < 10 ? "0" : "")\(rest) ms"
  }

  private func attributes(_ summary: LinkSummary) -> String {
    var parts: [String] = []
    let provenances = summary.healthHandles.map(\.provenance)
    if let worst = provenances.min(), let best = provenances.max() {
      parts.append(worst.name == best.name ? best.name : "\(best.name) and \(worst.name)")
    } else if summary.service != nil {
      parts.append(summary.serviceProvenance.name)
    } else {
      parts.append("nothing named")
    }
    let isOutside = summary.healthHandles.contains {
      $0.role.isControlPoint && !(summary.service?.contains($0.handle) ?? false)
    }
    if let service = summary.service, !isOutside {
      parts.append(
        name(of: summary.serviceType) + " 0x\(hex(UInt64(service.lowerBound), digits: 4))–0x"
          + hex(UInt64(service.upperBound), digits: 4)
      )
    } else if !summary.healthHandles.isEmpty {
      let named = summary.healthHandles.sorted { $0.handle < $1.handle }.prefix(6).map { traffic in
        "\(RoleText.label(traffic.role)) 0x\(hex(UInt64(traffic.handle), digits: 4))"
          + (traffic.provenance <= .inferred ? "?" : "")
      }
      parts.append(named.joined(separator: ", "))
    }
    if let mtu = summary.mtu { parts.append("MTU \(mtu)") }
    if summary.counts.enhancedBearers > 0 { parts.append("\(summary.counts.enhancedBearers) enhanced bearers") }
    return parts.joined(separator: "   ")
  }

  private func name(of service: BluetoothUUID?) -> String {
    guard let service else { return "service" }
    return service.short.flatMap(AssignedNumbers.serviceName) ?? "service \(service)"
  }

  private func subscriptions(_ summary: LinkSummary) -> String {
    var seen: [String] = []
    for subscription in summary.subscriptions where subscription.server == summary.sensor ?? subscription.server {
      guard subscription.role != .unknown && subscription.role != .other || subscription.error != 0 else { continue }
      var label = RoleText.label(subscription.role)
      if subscription.value == 0 { label += " off" }
      if subscription.error != 0 { label += " refused (0x" + hex(UInt64(subscription.error), digits: 2) + ")" }
      if let odd = SubscriptionText.odd(subscription) { label += " (\(odd))" }
      if let doubt = SubscriptionText.doubt(subscription) {
        label += " (\(doubt))"
      } else if subscription.error == 0 && subscription.answer == nil {
        label += " (unanswered)"
      }
      if seen.last != label { seen.append(label) }
    }
    if seen.isEmpty, let hidden = summary.hidden {
      return hidden.hidesValues ? HiddenText.of(hidden) : "nothing that is named"
    }
    if seen.isEmpty {
      return summary.procedures.isEmpty ? "nothing" : "nothing on this link"
    }
    return seen.joined(separator: ", ")
  }

  func write(_ finding: Finding, indent: Int, width: Int, to output: inout OutputBuffer) {
    let role: TextRole = finding.level == .error ? .bad : finding.level == .warning ? .warning : .dim
    let level = String(repeating: " ", count: indent) + finding.level.name
    line(
      level + String(repeating: " ", count: max(1, width - level.utf8.count)),
      "\(finding.rule) \(finding.fault.rawValue): \(finding.message)   #\(finding.frames.first ?? 0)",
      role,
      to: &output
    )
  }
}
