import CaptureFiles
import CommandLineInterface
import LinkTrace
import Reporting

/// `racpscope lint`: what is wrong, and whose fault it is.
enum LintCommand {
  static let declaration = Subcommand(
    "lint",
    summary: "judge captures by the specifications: what is wrong, whose fault, what to change",
    examples: [
      Example("racpscope lint trace.btsnoop", "every finding with the packets around it"),
      Example("racpscope lint --output sarif=lint.sarif --output junit=lint.xml *.btsnoop", "reports for a CI system"),
      Example("racpscope lint --side sensor --fail-on warning trace.btsnoop", "a firmware team's gate"),
      Example("racpscope lint --write-baseline known.json trace.btsnoop", "start clean: accept what is there"),
      Example("racpscope lint --baseline known.json trace.btsnoop", "and fail on what is new"),
      Example("racpscope lint --format markdown trace.btsnoop > report.md", "to paste into an issue"),
    ],
    positional: SharedOptions.files,
    options: LintArguments.options,
    details: [
      "RULES are identifiers (RACP-001), areas (RACP) or names, separated by commas; options that take them may be "
        + "given again. 'racpscope rules' lists them, 'racpscope explain RACP-001' explains one.",
      "Exit status: 0 judged and clean, 1 findings at or above --fail-on, 2 wrong usage or unreadable input, "
        + "3 nothing to judge.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let settings = try LintArguments(arguments)
    let memory = try SharedOptions.memory(arguments)
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    var unreadable = inputs.errors
    let showsProgress = inputs.stories.count == 1 && Terminal.behind(descriptor: 2).isTerminal
    let besideReading = ParallelStories.leaveProcessors(inputs.stories.count)
    var judged: [LintStory] = []
    ParallelStories.each(inputs.stories) { sources in
      judge(sources, memory, settings, showsProgress: showsProgress, besideReading: besideReading)
    } take: { result in
      switch result {
      case .success(let story): judged.append(story)
      case .failure(let error): unreadable.append(error)
      }
      return true
    }
    if !settings.options.judgesSeparately { judgeBetterNamed(&judged, settings, &unreadable) }
    var run = LintRun(
      judged.map(\.capture),
      unreadable: unreadable,
      options: settings.options,
      threshold: settings.threshold,
      allowsEmpty: settings.allowsEmpty,
      version: version
    )
    for error in unreadable { Complaint.write(error) }
    var isComplete = true
    if let path = arguments.value("--write-baseline") {
      let baseline = run.accept()
      isComplete = try write(to: path, arguments) { baseline.write(to: &$0) }
    }
    for target in settings.targets {
      let terminal = target.path == nil ? Terminal.behind(descriptor: 1) : Terminal()
      let isWritten = try write(to: target.path, arguments) {
        target.format.write(run, zone: settings.zone, terminal: terminal, to: &$0)
      }
      isComplete = isComplete && isWritten
    }
    tell(run, settings)
    return isComplete ? ExitStatus(rawValue: run.exitCode) ?? .usage : .usage
  }

  /// Judges once more the captures whose devices another one of the run names.
  private static func judgeBetterNamed(
    _ stories: inout [LintStory],
    _ settings: LintArguments,
    _ unreadable: inout [CaptureError]
  ) {
    let again = LintStory.betterNamed(stories)
    guard !again.isEmpty else { return }
    let sources = again.map { stories[$0.index].sources }
    ParallelStories.each(again.indices.map { [$0] }) { _ in
      ()
    } work: { _, place in
      judge(sources[place], again[place].memory, settings, showsProgress: false, besideReading: false)
    } take: { place, result in
      switch result {
      case .success(let story): stories[again[place].index] = story
      case .failure(let error): unreadable.append(error)
      }
      return true
    }
  }

  private static func judge(
    _ sources: [CaptureSource],
    _ memory: TraceMemory,
    _ settings: LintArguments,
    showsProgress: Bool,
    besideReading: Bool
  ) -> Result<LintStory, CaptureError> {
    do throws(CaptureError) {
      return .success(
        try LintStory(
          sources,
          memory: memory,
          options: settings.options,
          baseline: settings.baseline,
          progress: ProgressMeter(sources[0].name, isShown: showsProgress),
          besideReading: besideReading
        )
      )
    } catch {
      return .failure(error)
    }
  }

  private static func write(
    to path: String?,
    _ arguments: ParsedArguments,
    _ body: (inout OutputBuffer) -> Void
  ) throws(UsageError) -> Bool {
    let destination = try Destination(path, inputs: arguments.positionals + arguments.values("--gatt"))
    var output = OutputBuffer(descriptor: destination.descriptor)
    body(&output)
    return destination.end(output) == .done
  }

  /// A log is told what its reader does not see: that there was nothing to judge, and what the written files say.
  private static func tell(_ run: LintRun, _ settings: LintArguments) {
    if !settings.allowsEmpty {
      for (name, reason) in run.emptyFiles {
        Complaint.write(
          "\(name): nothing to judge: \(reason)",
          hint: "capture a sync from before the connection on, or accept this with --allow-empty"
        )
      }
    }
    guard !settings.writesToOutput else { return }
    var output = OutputBuffer(descriptor: 2)
    output.append("racpscope: \(run.summary)")
    output.newline()
    output.flush()
  }
}
