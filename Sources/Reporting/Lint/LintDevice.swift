import BluetoothWire
import ProtocolLint

/// A device that holds records, and what is wrong on its links.
public struct LintDevice: Sendable {
  /// Its identity; nil where the capture shows no address.
  var address: DeviceAddress?
  /// True where the captured host itself holds the records.
  var isLocal: Bool
  /// As it stood on the air.
  var name: [UInt8]?
  var linkCount = 0
  var procedureCount = 0
  /// Errors and warnings, whichever side is at fault.
  var gravelyJudged = 0
  /// Findings of the side that was not asked for.
  var otherSideCount = 0
  /// The links with findings, in order of their first frames until `rank` puts the worst first.
  var links: [LintLink] = []
  var tallies: [RuleTally]

  /// What a fingerprint and a baseline call it.
  var key: String { address?.description ?? "unknown device" }

  var weight: Int { links.map(\.weight).max() ?? 0 }

  /// `F0:0D:CA:FE:00:01 (random static)  "GM-1"`, safe for a terminal.
  var title: String {
    var text = address.map { "\($0) (\($0.kind.rawValue))" } ?? "unknown device"
    if let name { text += "  \"\(TextEscaping.terminal(name))\"" }
    if isLocal { text += "   captured on its own host" }
    return text
  }

  /// Puts the worst links, and on each the worst findings, first.
  mutating func rank() {
    for index in links.indices { links[index].findings.sort(by: LintFinding.isWorse) }
    links = links.enumerated()
      .sorted { left, right in
        left.element.weight == right.element.weight
          ? left.offset < right.offset : left.element.weight > right.element.weight
      }
      .map(\.element)
  }
}
