import CommandLineInterface
import Foundation
import Testing

@Suite struct CompletionTests {
  /// What a program prints and answers when fed a script on standard input.
  private func run(_ program: String, _ arguments: [String], script: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// The words bash offers for the last of the words typed, run in a folder with two files.
  private func bashOffers(_ words: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["meter one.pcap", "meter.log"] { try Data().write(to: folder.appendingPathComponent(name)) }
    let script = """
      cd '\(folder.path)'
      \(sampleTool.completions(for: .bash))
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
      COMP_CWORD=\(words.count - 1)
      _racpscope
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let (status, output) = try run("/bin/bash", ["-u"], script: script)
    #expect(status == 0, "\(output)")
    return output.split(separator: "\n").map(String.init).sorted()
  }

  @Test func bashAcceptsItsScript() throws {
    let (status, output) = try run("/bin/bash", ["-n"], script: sampleTool.completions(for: .bash))
    #expect(status == 0, "\(output)")
    #expect(output == "")
  }

  private static let zsh = ["/bin/zsh", "/usr/bin/zsh"].first(where: FileManager.default.isExecutableFile(atPath:))

  @Test(.enabled(if: zsh != nil, "zsh is not installed")) func zshAcceptsItsScript() throws {
    let zsh = try #require(Self.zsh)
    let (status, output) = try run(zsh, ["-n"], script: sampleTool.completions(for: .zsh))
    #expect(status == 0, "\(output)")
    #expect(output == "")
  }

  struct Case: Sendable {
    let words: [String]
    let offers: [String]
    init(_ words: [String], _ offers: [String]) {
      self.words = words
      self.offers = offers.sorted()
    }
  }

  private static let files = ["meter one.pcap", "meter.log"]

  @Test(arguments: [
    Case(["racpscope", ""], ["show", "records", "explain", "compare", "rules", "help"] + files),
    Case(["racpscope", "re"], ["records"]),
    Case(["racpscope", "me"], files),
    Case(["racpscope", "-"], ["--verbose", "-v", "--color", "--help", "-h", "--version", "-V"]),
    Case(["racpscope", "--v"], ["--verbose", "--version"]),
    Case(["racpscope", "--color", "never", "rul"], ["rules"]),
    Case(["racpscope", "--color", "=", "never", "rul"], ["rules"]),
    Case(
      ["racpscope", "records", "--"],
      [
        "--format", "--frames", "--limit", "--device", "--output", "--quiet", "--color", "--help", "--version",
      ]
    ),
    Case(["racpscope", "records", "--format", ""], ["text", "json", "csv"]),
    Case(["racpscope", "records", "-f", "js"], ["json"]),
    Case(["racpscope", "records", "--format", "="], ["text", "json", "csv"]),
    Case(["racpscope", "records", "--format", "=", "c"], ["csv"]),
    Case(["racpscope", "records", "--limit", ""], []),
    Case(["racpscope", "records", "--output", "meter."], ["meter.log"]),
    Case(["racpscope", "records", "--color", "a"], ["auto", "always"]),
    Case(["racpscope", "records", "meter"], files),
    Case(["racpscope", "records", "--", "--f"], []),
    Case(["racpscope", "explain", ""], ["GLS001", "GLS002"]),
    Case(["racpscope", "rules", ""], []),
    Case(["racpscope", "rules", "--"], ["--color", "--help", "--version"]),
    Case(["racpscope", "help", "r"], ["records", "rules"]),
    Case(["racpscope", "meter.log", "s"], []),
  ])
  func bashOffersWhatIsDeclared(_ expected: Case) throws {
    #expect(try bashOffers(expected.words) == expected.offers)
  }

  @Test func zshScriptHoldsEveryDeclaration() {
    let lines = Set(
      sampleTool.completions(for: .zsh).split(separator: "\n").map { $0.trimming { $0 == " " || $0 == "\\" } }
    )
    for line in [
      "#compdef racpscope",
      "'records:List the health records of a capture'",
      "'(-f --format)-f+[How records are printed]:FORMAT:(text json csv)'",
      "'(-f --format)--format=[How records are printed]:FORMAT:(text json csv)'",
      "'*-d+[Only links with this device; an address is written in hexadecimal with colons]:ADDRESS: '",
      #"'(-o --output)--output=[Write to a file \[not standard output\]]:FILE:_files'"#,
      #"'(-q --quiet)-q[Don'\''t print the heading\: only records]'"#,
      "'--color=[Use colors]:WHEN:(auto always never)'",
      "'*:RULE:(GLS001 GLS002)' ;;",
      "'*:FILE:_files' ;;",
      "'*:command:_racpscope_first' ;;",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }
}

extension Substring {
  fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    String(String(drop(while: isTrimmed).reversed()).drop(while: isTrimmed).reversed())
  }
}
