import CommandLineInterface
import LinkTrace
import ProtocolLint
import Reporting

/// What the command line of `lint` asks for.
struct LintArguments: Sendable {
  var options = LintOptions()
  var threshold = FailureThreshold.error
  var allowsEmpty: Bool
  var baseline: Baseline?
  var targets: [Target] = []
  var zone: TimeText.Zone

  /// One report: its shape, and its file or stdout.
  struct Target: Sendable {
    var format: LintFormat
    var path: String?
  }

  var writesToOutput: Bool { targets.contains { $0.path == nil } }

  private static let formats = LintFormat.allCases.map(\.rawValue)

  static let options: [Option] = [
    SharedOptions.format(formats, "how to write to stdout; with --output stdout is used only where this is given"),
    Option(
      "--output",
      short: "-o",
      value: .file("FORMAT=FILE"),
      repeated: true,
      summary: "write a report to a file: sarif=lint.sarif; may be given again"
    ),
    Option(
      "--side",
      value: .choice("SIDE", LintSide.allCases.map(\.rawValue)),
      summary: "judge the sensor (firmware) or the collector (app and its host stack) alone"
    ),
    Option("--select", value: .value("RULES"), repeated: true, summary: "only these rules"),
    Option(
      "--ignore",
      value: .value("RULES"),
      repeated: true,
      summary: "leave out the findings of these rules, with all they explain"
    ),
    Option(
      "--level",
      value: .value("RULES=LEVEL"),
      repeated: true,
      summary: "error, warning, note or off for findings of these rules"
    ),
    Option(
      "--fail-on",
      value: .choice("LEVEL", FailureThreshold.allCases.map(\.rawValue)),
      defaultValue: "error",
      summary: "the least that makes the exit status 1"
    ),
    Option("--separate", summary: "files that are tests of their own: no rule looks from one into another"),
    Option("--allow-empty", summary: "exit 0 where there is nothing to judge"),
    Option("--baseline", value: .file("FILE"), summary: "findings in this file do not count"),
    Option(
      "--write-baseline",
      value: .file("FILE"),
      summary: "write a baseline of all findings, which then do not count"
    ),
    SharedOptions.device, SharedOptions.join, SharedOptions.gatt, SharedOptions.utc,
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    allowsEmpty = arguments.flag("--allow-empty")
    zone = SharedOptions.zone(arguments)
    threshold = arguments.value("--fail-on").flatMap(FailureThreshold.init(rawValue:)) ?? .error
    options.side = arguments.value("--side").flatMap(LintSide.init(rawValue:))
    options.device = arguments.value("--device")
    options.judgesSeparately = arguments.flag("--separate")
    for list in arguments.values("--select") { options.selection.selected += try Self.patterns(list) }
    for list in arguments.values("--ignore") { options.selection.ignored += try Self.patterns(list) }
    for text in arguments.values("--level") { options.selection.levels += try Self.levels(text) }
    if !options.selection.reportsAnything {
      throw UsageError(
        "no rule is left to judge by",
        hint: "--ignore, or --level with off, takes away every rule that --select names"
      )
    }
    if let path = arguments.value("--baseline") {
      do {
        baseline = try Baseline(path: path)
      } catch {
        throw UsageError(error.message(file: path), hint: error.hint)
      }
    }
    let format = arguments.value("--format").flatMap(LintFormat.init(rawValue:)) ?? .text
    let files = arguments.values("--output")
    if files.isEmpty || arguments.flag("--format") { targets.append(Target(format: format, path: nil)) }
    for file in files { targets.append(try Self.target(file, inputs: arguments.positionals)) }
    let known = arguments.value("--write-baseline")
    if let known { try Self.protect(arguments.positionals, from: known) }
    var written = targets.map(\.path)
    if let known { written.append(known) }
    try Self.keepApart(written)
  }

  private static func patterns(_ list: String) throws(UsageError) -> [RulePattern] {
    var patterns: [RulePattern] = []
    for word in list.split(separator: ",") {
      let name = String(word.drop { $0 == " " })
      guard let pattern = RulePattern(name) else { throw UnknownRule.error(name) }
      patterns.append(pattern)
    }
    return patterns
  }

  private static func levels(_ text: String) throws(UsageError) -> [(rules: RulePattern, level: FindingLevel?)] {
    let hint = "write RACP-001=warning: error, warning, note or off"
    guard let split = text.lastIndex(of: "=") else {
      throw UsageError("'\(text)' names no level", hint: hint)
    }
    let word = text[text.index(after: split)...]
    let level = FindingLevel.allCases.first { $0.name == word }
    guard level != nil || word == "off" else { throw UsageError("'\(word)' is not a level", hint: hint) }
    return try patterns(String(text[..<split])).map { ($0, level) }
  }

  private static func target(_ text: String, inputs: [String]) throws(UsageError) -> Target {
    let hint = "write FORMAT=FILE with one of \(formats.joined(separator: ", ")), such as sarif=lint.sarif"
    guard let split = text.firstIndex(of: "="), text.index(after: split) < text.endIndex else {
      throw UsageError("'\(text)' does not say which report goes into which file", hint: hint)
    }
    guard let format = LintFormat(rawValue: String(text[..<split])) else {
      throw UsageError("'\(text[..<split])' is not a report", hint: hint)
    }
    let path = String(text[text.index(after: split)...])
    try protect(inputs, from: path)
    return Target(format: format, path: path)
  }

  /// Two reports in one place would leave one of them; nil and `-` stand for stdout.
  private static func keepApart(_ paths: [String?]) throws(UsageError) {
    for (index, path) in paths.enumerated() {
      for other in paths[..<index] where isOnePlace(path, other) {
        let place = path.map { $0 == "-" ? "stdout" : $0 } ?? "stdout"
        throw UsageError("two reports would be written to \(place)", hint: "name a file of its own for each")
      }
    }
  }

  private static func isOnePlace(_ one: String?, _ other: String?) -> Bool {
    let (first, second) = (one ?? "-", other ?? "-")
    return first == "-" || second == "-" ? first == second : SameFile.wouldBeSame(first, second)
  }

  private static func protect(_ inputs: [String], from path: String) throws(UsageError) {
    if inputs.contains(where: { SameFile.isSame($0, path) }) {
      throw UsageError("the report would overwrite its own input", hint: "name another file than \(path)")
    }
  }
}
