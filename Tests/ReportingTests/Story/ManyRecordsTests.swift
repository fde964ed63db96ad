import Scenarios
import Testing

/// A story compares the records of its links with each other while they are few enough, and says where it does not.
@Suite struct ManyRecordsTests {
  private func findings(_ capture: BenchmarkCapture) throws -> Substring {
    var octets: [UInt8] = []
    _ = capture.generate { octets += $0 }
    let line = try StoryText.of(octets).split(separator: "\n").last { $0.hasPrefix("findings    ") }
    return try #require(line)
  }

  @Test func fewAreCompared() throws {
    let line = try findings(BenchmarkCapture(links: 2, recordsPerLink: 50, meters: 1))
    #expect(!line.contains("compares the records"))
  }

  @Test func thousandsAreLeftToTheLint() throws {
    let line = try findings(BenchmarkCapture(links: 200, recordsPerLink: 600, meters: 20))
    #expect(line.hasSuffix("(racpscope lint tells what to change and compares the records)"))
  }
}
