import BluetoothWire
import LinkTrace
import ProtocolLint

/// A device that holds records, and what is wrong on its links.
public struct LintDevice: Sendable {
  /// What its links show together.
  var history: DeviceHistory
  /// As it stood on the air.
  var name: [UInt8]?
  var linkCount = 0
  var procedureCount = 0
  /// What the rules about single links said, as they said it, in the order of the links.
  var ownLinks: [LintLink] = []
  var ownTallies: DeviceTallies
  /// Findings of the side that was not asked for.
  var otherSideCount = 0
  /// The links with findings, in order of their first frames until `rank` puts the worst first.
  var links: [LintLink] = []
  /// The same with what the rules about several links said.
  var tallies: DeviceTallies

  init(_ key: DeviceHistory.Key, tallies: DeviceTallies) {
    history = DeviceHistory(key)
    ownTallies = tallies
    self.tallies = tallies
  }

  /// True where it stands for the capture itself, and its one link for the whole file.
  var isCapture = false

  /// Its identity; nil where the capture shows no address.
  var address: DeviceAddress? { history.key.address }
  /// True where the captured host itself holds the records.
  var isLocal: Bool { history.key.isLocal }
  /// What it is called where a name must be short.
  var key: String { isCapture ? "capture" : address?.description ?? "unknown device" }
  /// What a baseline knows it by: nil where the capture shows no address that stays the same from link to link.
  var lasting: String? { isCapture || history.key.isIdentity ? key : nil }

  var weight: Int { links.map(\.weight).max() ?? 0 }

  /// The number of the link that a frame of the run belongs to; nil where it is of none that is known.
  func link(ofFrame frame: UInt32) -> UInt32? {
    history.links.first { $0.firstFrame <= frame && frame <= $0.lastFrame }?.number
  }

  /// `F0:0D:CA:FE:00:01 (random static)  "GM-1"`, safe for a terminal.
  var title: String {
    if isCapture { return "the capture itself" }
    var text = address.map { "\($0) (\($0.kind.rawValue))" } ?? "unknown device"
    if let name { text += "  \"\(TextEscaping.terminal(name))\"" }
    if isLocal { text += "   captured on its own host" }
    return text
  }

  /// Marks the findings that a baseline has.
  mutating func suppress(_ baseline: Baseline) {
    for link in links.indices {
      for index in links[link].findings.indices where isKnown(links[link].findings[index], baseline) {
        links[link].findings[index].isSuppressed = true
      }
    }
  }

  private func isKnown(_ finding: LintFinding, _ baseline: Baseline) -> Bool {
    baseline.contains(finding.fingerprint, device: lasting)
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
