import BluetoothWire
import HealthProfiles
import LinkTrace

/// A link's story in words that do not depend on the file: no frame numbers, no link numbers.
func text(_ history: LinkHistory, withTimes: Bool = true) -> [String] {
  let summary = LinkSummary(history)
  var lines = ["link \(history.end.cause) by \(history.end.endedBy.map { "\($0)" } ?? "-")"]
  lines[0] += " sensor \(history.sensor.map { "\($0)" } ?? "-")"
  lines[0] += " peer \(history.peerIdentity?.description ?? "-") mtu \(summary.mtu ?? 0)"
  let named = history.handles.filter { $0.role != .unknown && $0.role != .other }
  for traffic in named.sorted(by: { ($0.server.rawValue, $0.handle) < ($1.server.rawValue, $1.handle) }) {
    lines.append(
      "  \(traffic.server) \(hexadecimal(traffic.handle)) \(traffic.role) \(traffic.provenance) "
        + "\(traffic.notifications) \(traffic.indications) \(traffic.writes)"
    )
  }
  for change in summary.security.changes { lines.append("  encryption \(change.isOn) \(change.keySize)") }
  for subscription in summary.subscriptions {
    lines.append(
      "  subscribe \(hexadecimal(subscription.descriptor)) of \(subscription.characteristic.map(hexadecimal) ?? "-") "
        + "\(subscription.role) = \(subscription.value) error \(subscription.error)"
    )
  }
  for procedure in summary.procedures { lines.append("  " + text(procedure, withTimes: withTimes)) }
  return lines
}

/// One procedure in words, without its frames.
func text(_ summary: ProcedureSummary, withTimes: Bool = true) -> String {
  let procedure = summary.procedure
  var line = "\(hexadecimal(summary.requestOctets)) \(procedure.outcome) \(procedure.records)+\(procedure.contexts)"
  line += " late \(procedure.trailingRecords)+\(procedure.trailingContexts)"
  line += " twice \(procedure.duplicates) down \(procedure.descents) \(procedure.sequences.ranges)"
  line += " missing \(procedure.sequences.gaps) overlaps \(procedure.overlaps != nil)"
  line += " early \(procedure.startedBeforeAnswer) other \(procedure.resultNamesOther)"
  if withTimes {
    line += " gaps \(procedure.gaps.count) \(procedure.gaps.median) \(procedure.gaps.longest)"
    line += " \(procedure.gaps.beforeResult ?? -1)"
  }
  return line
}

func hexadecimal(_ handle: UInt16) -> String {
  let digits = String(handle, radix: 16, uppercase: true)
  return String(repeating: "0", count: 4 - digits.count) + digits
}

func hexadecimal(_ octets: [UInt8]) -> String {
  octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
