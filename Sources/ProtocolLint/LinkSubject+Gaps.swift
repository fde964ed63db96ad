import LinkTrace

extension LinkSubject {
  /// The findings of a link with missing packets that need none of them: their procedures were over, and the next request
  /// was there, before the first packet that is missing.
  ///
  /// Only where the answers themselves tell what is missing: what a logger counts, or a fragment that fits nothing, may
  /// have been lost anywhere.
  func beforeGap(_ findings: [Finding], _ history: borrowing LinkHistory) -> [Finding] {
    let counts = history.counts
    guard counts.lostPackets == 0, counts.brokenFragments == 0, !counts.isShortOfSentPackets,
      let gap = counts.missesAnswersSince
    else { return [] }
    // Where the procedures end that are over before it.
    var over = 0
    while over + 1 < history.procedures.count, history.frame(history.procedures[over + 1].request) <= gap {
      over += 1
    }
    return findings.filter { finding in
      guard let procedure = finding.procedure, Self.isOfProcedures(finding.rule) else { return false }
      return procedure < over && finding.otherProcedures.allSatisfy { $0 < over }
        && finding.frames.allSatisfy { $0 <= gap } && finding.frames.count == finding.frameCount
    }
  }

  /// True for rules whose findings rest on their procedures alone.
  private static func isOfProcedures(_ rule: RuleIdentifier) -> Bool {
    ["RACP", "SEQ", "CLK", "VAL"].contains(rule.area)
  }
}
