import CaptureFiles
import Foundation
import Glibc
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// The four tests of a health app, each in two captures that are given together, and the pages that describe them.
@Suite struct HealthAppTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    .joined(separator: "/") + "/docs/tests/"

  private static func stories(_ scenarios: [Scenario], _ rendering: Rendering, _ options: LintOptions) throws
    -> [LintStory]
  {
    var stories = try scenarios.map { scenario in
      let input = CaptureInput.memory(scenario.capture(rendering), name: scenario.name + ".btsnoop")
      return try LintStory(captures(in: input), memory: TraceMemory(), options: options)
    }
    guard !options.judgesSeparately else { return stories }
    for (index, memory) in LintStory.betterNamed(stories) {
      stories[index] = try LintStory(stories[index].sources, memory: memory, options: options)
    }
    return stories
  }

  private static func run(
    _ scene: HealthAppScene,
    _ rendering: Rendering = Rendering(),
    separately: Bool = false,
    reversed: Bool = false
  ) throws -> LintRun {
    var options = LintOptions()
    options.judgesSeparately = separately
    var captures = try stories([scene.before, scene.after], rendering, options).map(\.capture)
    if reversed { captures.reverse() }
    return LintRun(
      captures,
      unreadable: [],
      options: options,
      threshold: .warning,
      allowsEmpty: true,
      version: "test"
    )
  }

  /// Notes on what a capture can show are left out: the second file alone does not name its handles.
  private static func rules(_ run: LintRun) -> [String] {
    run.captures.flatMap { $0.findings.map { $0.finding.rule.identifier.description } }.filter { !$0.hasPrefix("CAP") }
  }

  @Test(arguments: HealthAppScene.all.indices, Party.allCases)
  func goodAndBadAreTold(index: Int, side: Party) throws {
    let scene = HealthAppScene.all[index]
    let run = try Self.run(scene, Rendering(side: side))
    #expect(Self.rules(run) == scene.findings, "\(scene.page) \(scene.section)")
    #expect(run.exitCode == scene.status, "\(scene.page) \(scene.section)")
  }

  @Test(arguments: HealthAppScene.all.indices)
  func theOrderOfTheFilesDecidesNothing(index: Int) throws {
    let scene = HealthAppScene.all[index]
    let forward = try Self.run(scene)
    let backward = try Self.run(scene, reversed: true)
    #expect(Set(Self.rules(forward)) == Set(Self.rules(backward)))
    #expect(backward.captures.map(\.file) == ["after.btsnoop", "before.btsnoop"])
    let anchors = forward.captures.flatMap { capture in capture.findings.map { "\(capture.file):\($0.finding.frame)" } }
    let others = backward.captures.flatMap { capture in capture.findings.map { "\(capture.file):\($0.finding.frame)" } }
    #expect(Set(anchors) == Set(others))
  }

  @Test func theSilentLossIsAnErrorOverTwoFiles() throws {
    let scene = try #require(
      HealthAppScene.all.first { $0.page == "truncated-sync" && $0.findings.contains("SEQ-007") }
    )
    let found = try Self.run(scene).captures.flatMap { $0.findings.map(\.finding.finding) }
    let loss = try #require(found.first { $0.rule == "SEQ-007" })
    #expect(loss.level == .error && loss.fault == .collector && loss.confidence == .certain)
    #expect(loss.message.contains("13–30"))
    #expect(loss.evidence.contains { $0.contains("before.btsnoop") })
  }

  @Test func separateFilesAreNotCompared() throws {
    for scene in HealthAppScene.all where scene.findings.contains("SEQ-007") || scene.findings.contains("APP-014") {
      let rules = Self.rules(try Self.run(scene, separately: true))
      #expect(!rules.contains("SEQ-007") && !rules.contains("APP-014"))
    }
  }

  @Test func theSameTrafficTwiceIsNoSecondFetch() throws {
    let scene = HealthAppScene.all[0]
    var options = LintOptions()
    options.selection.ignored = []
    let twice = [
      try Self.stories([scene.before], Rendering(), options)[0].capture,
      try Self.stories([scene.before], Rendering(), options)[0].capture,
    ]
    let run = LintRun(twice, unreadable: [], options: options, threshold: .note, allowsEmpty: true, version: "test")
    #expect(Self.rules(run).isEmpty)
  }

  @Test func thePagesShowWhatIsPrinted() throws {
    for page in ["phone-absent", "truncated-sync", "bond-loss", "clock-change"] {
      let path = Self.folder + page + ".md"
      var text = try #require(Self.read(path), "\(path)")
      let whole = text
      for scene in HealthAppScene.all where scene.page == page {
        var output = OutputBuffer()
        LintFormat.text.write(try Self.run(scene), zone: .utc, terminal: Terminal(), to: &output)
        let block = "```text\n" + output.text + "```\n"
        let heading = try #require(text.firstRange(of: "## \(scene.section)\n"), "\(page): \(scene.section)")
        let rest = text[heading.upperBound...]
        let start = try #require(rest.firstRange(of: "```text\n"))
        let command = "```sh\n" + scene.command + "\n```\n"
        #expect(rest[..<start.lowerBound].contains(command), "\(page): \(scene.section)")
        let end = try #require(text[start.upperBound...].firstRange(of: "```\n"))
        text.replaceSubrange(start.lowerBound..<end.upperBound, with: block)
      }
      if text != whole && getenv("UPDATE_GOLDEN") != nil { #expect(Self.write(text, to: path)) }
      #expect(Self.read(path) == text, "run the tests with UPDATE_GOLDEN=1 and look at the difference")
    }
  }

  /// What a reader of a page gives to the program is what the page was made from.
  @Test func thePagesCanBeReplayed() throws {
    let listing = try #require(Self.read(SampleFiles.path("README.md")))
    for scene in HealthAppScene.all {
      #expect(listing.contains("| `\(scene.folder)/` |"), "\(scene.folder)")
      for capture in scene.captures {
        let name = scene.folder + "/" + capture.name
        let path = SampleFiles.path(name)
        if getenv("UPDATE_GOLDEN") != nil {
          let place = URL(fileURLWithPath: path)
          let folder = place.deletingLastPathComponent()
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          try Data(capture.octets).write(to: place)
        }
        #expect(try SampleFiles.octets(name) == capture.octets, "run the tests with UPDATE_GOLDEN=1: \(name)")
      }
    }
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      octets += buffer[..<count]
    }
    return String(decoding: octets, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    let octets = Array(text.utf8)
    return fwrite(octets, 1, octets.count, file) == octets.count
  }
}
