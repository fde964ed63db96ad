import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

@testable import Reporting

/// The story of a link of very many procedures.
@Suite struct ManyProceduresTests {
  private func capture(_ turns: [Step]) -> [UInt8] {
    Scenario("many", [.firstArrival] + turns + [.farewell]).capture()
  }

  @Test func `it is summed up on one screen, and told in full where all is wanted`() throws {
    var turns: [Step] = []
    for turn in 1...500 as ClosedRange<UInt16> {
      turns.append(turn % 100 == 50 ? .group([.report(.all), .refuse(error: 0x80)]) : .ask(answer: turn))
    }
    let octets = capture(turns)
    let short = try StoryText.of(octets).split(separator: "\n")
    #expect(short.count < 50)
    #expect(
      short.contains("    procedures  500: 495 counted, 5 refused   0 records   5 odd   (--all tells each)")
    )
    let rows = short.filter { $0.hasPrefix("    racp ") }.compactMap { $0.split(separator: " ")[1] }
    #expect(rows == ["50", "150", "250", "350", "450", "498", "499", "500"])
    #expect(
      short.filter { $0.hasPrefix("    … ") && $0.hasSuffix(" more") } == [
        "    … 49 more", "    … 99 more", "    … 99 more", "    … 99 more", "    … 99 more", "    … 47 more",
      ]
    )
    let whole = try StoryText.of(octets) { $0.all = true }.split(separator: "\n")
    #expect(whole.filter { $0.hasPrefix("    racp ") }.count == 500)
    #expect(!whole.contains { $0.hasPrefix("    procedures") })
  }

  @Test func `what came without being asked for is not missing`() throws {
    func story(_ delivered: ClosedRange<UInt16>) throws -> String {
      try StoryText.of(
        capture([
          .report(.all), .accept, .records(1...8), .linkLoss, .later(minutes: 1), .bondedArrival,
          .fetch(.atLeast(20), delivered),
        ])
      )
    }
    #expect(try story(20...30).contains("  missing     9–19 were never asked for"))
    #expect(!(try story(9...30)).contains("never asked for"))
    #expect(try story(9...30).contains("  records     30, 7 contexts, sequence 1–30 complete"))
  }

  @Test func `what ran beside a procedure is not sought among all of them`() throws {
    func summary(_ turns: Int) throws -> [ProcedureSummary] {
      var kept = KeptSummaries()
      var tracker = LinkTracker()
      var reader = try CaptureReader.open(
        .memory(capture([Step](repeating: .ask(answer: 3), count: turns)), name: "many")
      )
      tracker.read(&reader, into: &kept)
      tracker.finish(into: &kept)
      return try #require(kept.links.first).procedures
    }
    let (few, many) = (try summary(100), try summary(3200))
    func work(_ procedures: [ProcedureSummary]) -> Duration {
      ContinuousClock().measure {
        let mixtures = ProcedureMixtures(procedures)
        for index in procedures.indices { #expect(mixtures[index].ordinals.isEmpty) }
      }
    }
    let small = min(work(few), work(few), work(few))
    // 32 times as many; their square is 1024.
    #expect(min(work(many), work(many)) / max(small, .microseconds(1)) < 200)
  }

  @Test func `records of a report that another one ran beside are counted together`() throws {
    let text = try StoryText.of(
      capture([
        .report(.all), .accept, .record(1), .report(.atLeast(2)), .accept, .records(2...3),
        .result(.report, .success), .confirm, .result(.report, .success), .confirm, .fetch(.atLeast(4), 4...5),
      ])
    )
    #expect(text.contains("racp 1 and 2 ran at once"))
    #expect(text.contains("mixed with racp 1"))
    #expect(!text.contains("racp 1 and 2 and 3"))
  }
}

private struct KeptSummaries: LinkConsumer {
  var links: [LinkSummary] = []

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    links.append(LinkSummary(history))
  }
}
