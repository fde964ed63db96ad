import CommandLineInterface
import Foundation
import Testing

@testable import racpscope

/// Every call of the program that a page shows is one that the program accepts.
@Suite struct DocumentedCommandsTests {
  private static let pages: [String] = {
    let root = CommandRun.root
    let docs = FileManager.default.enumerator(atPath: root.appendingPathComponent("docs").path)
    let names = (docs?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
    return ["README.md", "samples/README.md", "Tests/Lab/README.md"] + names.sorted().map { "docs/" + $0 }
  }()

  private static func calls(_ page: String) throws -> [DocumentedCommands.Call] {
    let text = try String(contentsOf: CommandRun.root.appendingPathComponent(page), encoding: .utf8)
    return DocumentedCommands(text).calls
  }

  private static func invocation(_ words: [String]) throws -> Invocation {
    try racpscopeTool.parse(words) { _ in true }
  }

  @Test(arguments: pages) func everyCallIsAccepted(page: String) throws {
    for call in try Self.calls(page) {
      let files = ["a.btsnoop", "b.btsnoop"]
      let attempts = (0...(call.isMention ? 2 : 0)).map { call.words + files.prefix($0) }
      let isAccepted = attempts.contains { (try? Self.invocation($0)) != nil }
      #expect(isAccepted, "\(page): \(call.line)")
    }
  }

  @Test func theCallsAreFound() throws {
    let counts = try Self.pages.map { try Self.calls($0).count }
    #expect(counts.reduce(0, +) > 50)
    for page in ["README.md", "docs/live.md", "docs/compare.md", "docs/store.md", "docs/lint.md", "docs/capturing.md"] {
      #expect(try !Self.calls(page).isEmpty, "\(page)")
    }
  }

  @Test func whatIsNotAcceptedIsSeen() {
    let page = """
      Text with `racpscope recrods a.btsnoop`.
      ```
      $ sudo racpscope scan --secnods 10 2>/dev/null | tee out.txt   # racpscope nothing
      btmon -w >(racpscope -)
      racpscope sync "F0:0D:CA:FE:00:01" --store 'my meters.db' --passkey-fd 3 3<FILE > out.json
      ```
      """
    let calls = DocumentedCommands(page).calls.map(\.words)
    #expect(
      calls == [
        ["scan", "--secnods", "10"], ["-"],
        ["sync", "F0:0D:CA:FE:00:01", "--store", "my meters.db", "--passkey-fd", "3"], ["recrods", "a.btsnoop"],
      ]
    )
    #expect(throws: UsageError.self) { _ = try Self.invocation(calls[0]) }
    #expect(throws: Never.self) { _ = try Self.invocation(calls[1]) }
    #expect(throws: Never.self) { _ = try Self.invocation(calls[2]) }
  }

  /// A newcomer finds these in the README, in this order, with what they need beside them.
  @Test func theReadmeScansPairsSyncsAndCompares() throws {
    let readme = try String(contentsOf: CommandRun.root.appendingPathComponent("README.md"), encoding: .utf8)
    let part = try #require(readme.components(separatedBy: "**What should the app have got?**").last)
    let block = try #require(part.components(separatedBy: "```").dropFirst().first)
    let subcommands = try DocumentedCommands("```\n" + block + "```").calls.map { call in
      guard case .run(let arguments) = try Self.invocation(call.words) else { return "" }
      return arguments.subcommand
    }
    #expect(subcommands == ["scan", "sync", "compare"])
    let lines = block.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("sudo setcap cap_net_admin,cap_net_raw+ep \"$(command -v racpscope)\"") == true)
    #expect(lines.contains { $0.hasPrefix("bluetoothctl ") && $0.contains("pair F0:0D:CA:FE:00:01") })
  }

  @Test func theDeclarationIsSound() {
    #expect(racpscopeTool.problems() == [])
  }
}
