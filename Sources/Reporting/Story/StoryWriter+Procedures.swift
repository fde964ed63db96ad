import HealthProfiles
import LinkTrace
import ProtocolLint

extension StoryWriter {
  /// The procedures of a link: each with its rows; of many the totals, the odd ones and the last, unless all are wanted.
  mutating func write(proceduresOf summary: LinkSummary, to output: inout OutputBuffer) {
    let procedures = summary.procedures
    let mixtures = ProcedureMixtures(procedures)
    let controlPoints = Set(procedures.map(\.procedure.controlPoint))
    let isCrowd = !tellsAll && procedures.count > StoryCrowd.fullProcedures
    if isCrowd { write(totalsOf: procedures, to: &output) }
    var next = 0
    for index in isCrowd ? Self.summedUp(procedures) : Array(procedures.indices) {
      if index > next { line("    ", "… \(index - next) more", .dim, to: &output) }
      next = index + 1
      write(
        procedures[index],
        ordinal: index + 1,
        mixtures[index],
        isOneOfSeveral: controlPoints.count > 1,
        of: summary,
        to: &output
      )
    }
  }

  private func write(totalsOf procedures: [ProcedureSummary], to output: inout OutputBuffer) {
    var outcomes: [String: Int] = [:]
    var (records, contexts): (UInt64, UInt64) = (0, 0)
    for entry in procedures {
      outcomes[OutcomeText.short(entry.procedure.outcome), default: 0] += 1
      records += UInt64(entry.procedure.records) + UInt64(entry.procedure.trailingRecords)
      contexts += UInt64(entry.procedure.contexts) + UInt64(entry.procedure.trailingContexts)
    }
    let words = OutcomeText.totals(outcomes)
    let odd = procedures.count { $0.isOdd }
    let delivered =
      countText(records, "record") + (contexts == 0 ? "" : ", " + countText(contexts, "context"))
    line(
      "    procedures  ",
      "\(procedures.count): \(words)   \(delivered)   \(odd) odd   (--all tells each)",
      .plain,
      to: &output
    )
  }

  /// The first odd ones and the last ones, in order.
  private static func summedUp(_ procedures: [ProcedureSummary]) -> [Int] {
    let odd = procedures.indices.lazy.filter { procedures[$0].isOdd }.prefix(StoryCrowd.oddProcedures)
    return Set(Array(odd) + procedures.indices.suffix(StoryCrowd.lastProcedures)).sorted()
  }

  /// The findings of a link: of many the first, unless all are wanted.
  mutating func write(findingsOf link: StoryLink, to output: inout OutputBuffer) {
    let findings = link.verdicts.findings
    let isCrowd = !tellsAll && findings.count > StoryCrowd.fullFindings
    let told = isCrowd ? Self.heaviest(findings) : findings
    for finding in told { write(finding, indent: 4, width: 16, to: &output) }
    let left = findings.count - told.count
    if left > 0 {
      line("    ", "… \(countText(left, "more finding"))   (--all tells each)", .dim, to: &output)
    }
  }

  /// Those that weigh most, in the order of the link.
  private static func heaviest(_ findings: [Finding]) -> [Finding] {
    let ranked = findings.indices.sorted {
      findings[$0].level == findings[$1].level ? $0 < $1 : findings[$0].level > findings[$1].level
    }
    return ranked.prefix(StoryCrowd.fullFindings).sorted().map { findings[$0] }
  }
}
