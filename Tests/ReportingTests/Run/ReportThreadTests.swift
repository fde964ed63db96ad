import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// Reports that are made on a thread of their own while the capture is read on.
@Suite struct ReportThreadTests {
  /// Every ready-made scenario and the failing scenes of the rules as one story of some hundred links.
  private static func sources() throws -> [CaptureSource] {
    let scenarios =
      Scenario.catalogue.map { $0.make() } + RuleRegistry.linkRules.compactMap { $0.failing.first?.scenario }
    return try scenarios.flatMap { try captures(in: .memory($0.capture(), name: $0.name)) }
  }

  private static func story(_ sources: [CaptureSource], besideReading: Bool) throws -> String {
    var options = StoryOptions()
    options.zone = .utc
    options.all = true
    let run = try CaptureRun(sources, memory: TraceMemory(), progress: .silent, besideReading: besideReading) {
      StoryReport(options)
    }
    var output = OutputBuffer()
    var writer = StoryWriter(Terminal(), .utc)
    writer.write(run.report, run.facts, run.totals, to: &output)
    return output.text
  }

  private static func judgement(_ sources: [CaptureSource], besideReading: Bool) throws -> String {
    let story = try LintStory(
      sources,
      memory: TraceMemory(),
      options: LintOptions(),
      besideReading: besideReading
    )
    let run = LintRun(
      [story.capture],
      unreadable: [],
      options: LintOptions(),
      threshold: .error,
      allowsEmpty: false,
      version: "0"
    )
    var output = OutputBuffer()
    LintFormat.json.write(run, zone: .utc, terminal: Terminal(), to: &output)
    return output.text
  }

  @Test func `the story is that of one thread`() throws {
    let sources = try Self.sources()
    let alone = try Self.story(sources, besideReading: false)
    #expect(alone.split(separator: "\n").count { $0.hasPrefix("  link ") } > 100)
    #expect(try Self.story(sources, besideReading: true) == alone)
  }

  @Test func `the judgement is that of one thread`() throws {
    let sources = try Self.sources()
    let alone = try Self.judgement(sources, besideReading: false)
    #expect(alone.contains("RACP-001"))
    #expect(try Self.judgement(sources, besideReading: true) == alone)
  }

  /// Takes the numbers of the links and how many PDUs each had.
  private struct Lengths: SeparateReport {
    var links: [UInt32] = []
    var lengths: [Int] = []

    mutating func take(_ history: borrowing LinkHistory, advertisedName name: [UInt8]?) {
      links.append(history.number)
      lengths.append(history.pdus.count)
    }
  }

  @Test func `links come in their order and whole, however long they are`() throws {
    // Every fifth link has more PDUs than may wait.
    var steps: [Step] = []
    for turn in 0..<20 {
      steps.append(turn == 0 ? .firstArrival : .bondedArrival)
      steps += [Step](repeating: .ask(answer: 1), count: turn % 5 == 4 ? 5000 : turn)
      steps += [.farewell, .wait(milliseconds: 1000)]
    }
    let octets = Scenario("lengths", steps).capture()
    let sources = try captures(in: .memory(octets, name: "lengths"))
    func lengths(_ besideReading: Bool) throws -> Lengths {
      try CaptureRun(sources, memory: TraceMemory(), progress: .silent, besideReading: besideReading) { Lengths() }
        .report
    }
    let (alone, beside) = (try lengths(false), try lengths(true))
    #expect(alone.links == Array(1...20))
    #expect(alone.lengths.contains { $0 > 16_384 } && alone.lengths.contains { $0 < 100 })
    #expect(beside.links == alone.links)
    #expect(beside.lengths == alone.lengths)
  }
}
