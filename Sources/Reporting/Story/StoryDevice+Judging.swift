import LinkTrace
import ProtocolLint

extension StoryDevice {
  /// Adds what is wrong over several links, as far as it shows with the records that are kept.
  ///
  /// - Parameters:
  ///   - link: the only link that is told; nil for all.
  ///   - strangers: links of the run that may or may not be the device's.
  mutating func judge(only link: UInt32?, strangers: Strangers) {
    let isWhole = told.count == linkCount
    let own = isWhole ? told.flatMap(\.verdicts.findings) : []
    let verdicts = DeviceVerdicts(history, linkFindings: own, strangers: strangers)
    guard !verdicts.findings.isEmpty else { return }
    var explained: [Finding] = []
    for (finding, standing) in zip(own, verdicts.linkFindings) where standing == nil { explained.append(finding) }
    for finding in explained {
      findingCounts[Int(finding.level.rawValue)] -= 1
      toldCounts[Int(finding.level.rawValue)] -= 1
    }
    func isExplained(_ finding: Finding) -> Bool {
      explained.contains { $0.link == finding.link && $0.fingerprint == finding.fingerprint }
    }
    worstFindings.removeAll(where: isExplained)
    for index in first.indices { first[index].verdicts.leaveOut(isExplained) }
    for index in odd.indices { odd[index].verdicts.leaveOut(isExplained) }
    for index in last.indices { last[index].verdicts.leaveOut(isExplained) }
    for finding in verdicts.findings { findingCounts[Int(finding.level.rawValue)] += 1 }
    keep(verdicts.findings.filter { finding in link.map { $0 == finding.link } ?? true })
  }
}
