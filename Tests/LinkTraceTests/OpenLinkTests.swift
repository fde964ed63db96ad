import BluetoothWire
import HealthProfiles
import LinkTrace
import ReferenceCaptures
import Testing

/// Links read while they are up.
@Suite struct OpenLinkTests {
  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"), arguments: LabFiles.captures)
  func `what has ended while a link is up stays as it is`(_ path: String) throws {
    let frames = try frames(of: path)
    var tracker = LinkTracker()
    var told: [(link: UInt32, summary: ProcedureSummary)] = []
    var ended: [LinkHistory] = []
    for (index, frame) in frames.enumerated() {
      tracker.follow(frame, number: index + 1)
      while let history = tracker.takeEnded() { ended.append(history) }
      guard index % 50 == 49 else { continue }
      for link in tracker.openLinks() {
        #expect(link.end.cause == .open)
        for summary in LinkSummary(link).procedures where summary.procedure.outcome != .running {
          told.append((link.number, summary))
        }
      }
    }
    var collected = Collected(links: ended)
    tracker.finish(into: &collected)
    for (number, summary) in told {
      let link = try #require(collected.links.first { $0.number == number })
      let last = try #require(LinkSummary(link).procedures.first { $0.requestFrame == summary.requestFrame })
      #expect(last.procedure.outcome == summary.procedure.outcome)
    }
  }
}
