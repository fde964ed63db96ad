import HealthProfiles
import LinkTrace
import ProtocolLint

/// The packets a finding over several links names, told from what is kept of a link after its end.
enum DeviceExcerpt {
  /// One line for each frame of the finding that is known, of the links of its own file.
  static func around(_ finding: Finding, _ history: DeviceHistory) -> LintExcerpt {
    var lines: [LintExcerpt.Line] = []
    let anchor = finding.frames.first ?? 0
    for reference in [LinkReference(file: finding.file, link: finding.link)] + finding.otherLinks {
      guard reference.file == finding.file, let link = history.link(reference.link, file: reference.file) else {
        continue
      }
      for line in self.lines(history.links[link]) where finding.frames.contains(line.frame) {
        if !lines.contains(where: { $0.frame == line.frame }) { lines.append(line) }
      }
    }
    if !lines.contains(where: { $0.frame == anchor }) {
      let text = record(anchor, finding, history)
      lines.append(line(anchor, finding.time, text == nil ? "link" : "sensor", text ?? "what the finding is about"))
    }
    lines.sort { $0.frame < $1.frame }
    var excerpt = LintExcerpt()
    for (index, var line) in lines.enumerated() {
      line.isMarked = line.frame == anchor
      line.followsGap = index > 0
      excerpt.lines.append(line)
    }
    return excerpt
  }

  /// What is known of a link's packets: requests, last records, results, security.
  private static func lines(_ link: DeviceLink) -> [LintExcerpt.Line] {
    var lines: [LintExcerpt.Line] = []
    for procedure in link.procedures {
      let request = RecordAccessRequest(octets: procedure.octets, dialect: procedure.dialect)
      let name = "Record Access Control Point"
      lines.append(line(procedure.requestFrame, procedure.startTime, "collector", "Write \(name): \(request.summary)"))
      if procedure.lastRecordFrame != 0 {
        let number = procedure.sequences.maximum.map { ", up to number \($0)" } ?? ""
        let count = "\(procedure.records) record\(procedure.records == 1 ? "" : "s")"
        lines.append(
          line(
            procedure.lastRecordFrame,
            procedure.endTime,
            "sensor",
            "last of \(count) of \(request.summary)\(number)"
          )
        )
      }
      if procedure.resultFrame != 0 {
        let text = OutcomeText.short(procedure.outcome)
        lines.append(line(procedure.resultFrame, procedure.endTime, "sensor", "Indication \(name): \(text)"))
      }
    }
    let security = link.security
    let events: [(UInt32, String, String)] = [
      (security.pairingFrame, "collector", "Pairing Request"),
      (security.storedKeyFrame, "collector", "encryption with a stored key begins"),
      (security.refusalFrame, "link", "the stored key is refused"),
    ]
    for (frame, who, text) in events where frame != 0 { lines.append(line(frame, link.firstTime, who, text)) }
    lines.append(line(link.firstFrame, link.firstTime, "link", "link \(link.number) begins"))
    return lines
  }

  private static func record(_ frame: UInt32, _ finding: Finding, _ history: DeviceHistory) -> String? {
    var text: String?
    history.records.visit { record in
      let link = history.links[Int(record.link)]
      if record.frame == frame && link.number == finding.link && link.file == finding.file {
        text = "Notification Glucose Measurement: number \(record.sequence), base time \(record.baseTime)"
      }
    }
    return text
  }

  private static func line(_ frame: UInt32, _ time: Int64, _ who: String, _ text: String) -> LintExcerpt.Line {
    LintExcerpt.Line(
      frame: frame,
      time: time,
      who: who,
      text: TextColumns.cut(text, to: LintExcerpt.widest),
      isMarked: false,
      followsGap: false
    )
  }
}
