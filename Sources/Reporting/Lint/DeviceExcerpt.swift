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
    for record in records(finding, history) where !lines.contains(where: { $0.frame == record.frame }) {
      lines.append(line(record.frame, nil, "sensor", text(record)))
    }
    if !lines.contains(where: { $0.frame == anchor }) {
      lines.append(line(anchor, nil, "link", "what the finding is about"))
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
        let count = countText(procedure.records, "record")
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

  /// The records that the first frames of a finding brought, as far as they are kept: each number as it came last, and
  /// both of those that contradict each other.
  private static func records(_ finding: Finding, _ history: DeviceHistory) -> [DeviceRecord] {
    let frames = finding.frames.prefix(2)
    let files = [LinkReference(file: finding.file, link: finding.link)] + finding.otherLinks
    var found: [DeviceRecord] = []
    func take(_ record: DeviceRecord) {
      guard frames.contains(record.frame), !found.contains(where: { $0.frame == record.frame }) else { return }
      let link = history.links[Int(record.link)]
      guard link.file == finding.file, files.contains(LinkReference(file: link.file, link: link.number)) else { return }
      found.append(record)
    }
    for change in history.records.changes + history.records.moves + history.records.restarts {
      take(change.old)
      take(change.new)
    }
    history.records.visit { take($0) }
    return found
  }

  private static func text(_ record: DeviceRecord) -> String {
    let offset = record.offset.map { " (\($0 < 0 ? "" : "+")\($0) min)" } ?? ""
    return "Notification Glucose Measurement: number \(record.sequence), base time \(record.baseTime)\(offset)"
  }

  private static func line(_ frame: UInt32, _ time: Int64?, _ who: String, _ text: String) -> LintExcerpt.Line {
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
