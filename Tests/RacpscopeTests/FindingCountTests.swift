import Foundation
import Testing

/// The story ends with the findings that the lint tells, those that compare records and those of the capture included.
@Suite struct FindingCountTests {
  static let samples: [String] = {
    let folder = CommandRun.root.appendingPathComponent("samples")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { ["btsnoop", "pcap", "pcapng", "pklg"].contains(($0 as NSString).pathExtension) }.sorted()
  }()

  @Test func theSamplesAreThere() {
    #expect(Self.samples.contains { $0.hasPrefix("health-app/clock-change/") })
    #expect(Self.samples.count >= 20)
  }

  @Test(arguments: samples)
  func theStoryCountsWhatTheLintTells(sample: String) throws {
    let lint = try CommandRun(["lint", "--format", "jsonl", "samples/" + sample])
    var counts: [String: Int] = [:]
    for line in lint.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      if object?["rule"] != nil, let level = object?["level"] as? String { counts[level, default: 0] += 1 }
    }
    let expected = ["error", "warning", "note"].compactMap { level in
      counts[level].map { "\($0) \(level)\($0 == 1 ? "" : "s")" }
    }
    let story = try CommandRun(["show", "samples/" + sample])
    let last = story.output.split(separator: "\n").last { $0.hasPrefix("findings    ") }
    let told = try #require(last).dropFirst("findings    ".count)
    let text = expected.isEmpty ? "none" : expected.joined(separator: ", ")
    #expect(told == text || told.hasPrefix(text + "   ("))
  }
}
