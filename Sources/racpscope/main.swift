import CommandLineInterface
import Glibc
import Reporting

// A reader that goes away (racpscope … | head) ends the output, not the program with a signal.
signal(SIGPIPE, SIG_IGN)
StandardStreams.hold()

func perform(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
  switch arguments.subcommand {
  case "records": try RecordsCommand.run(arguments)
  case "packets": try PacketsCommand.run(arguments)
  case "gatt": try GattCommand.run(arguments)
  case "lint": try LintCommand.run(arguments)
  case "explain": try ExplainCommand.run(arguments)
  case "rules": RulesCommand.run(arguments)
  case "extract": try ExtractCommand.run(arguments)
  case "compare": try CompareCommand.run(arguments)
  case "adapters": try AdaptersCommand.run(arguments)
  case "scan": try ScanCommand.run(arguments)
  case "capture": try CaptureCommand.run(arguments)
  case "sync": try SyncCommand.run(arguments)
  case "store": try StoreCommand.run(arguments)
  case "completions": try CompletionsCommand.run(arguments, racpscopeTool)
  default: try ShowCommand.run(arguments)
  }
}

do throws(UsageError) {
  let invocation = try racpscopeTool.parse(Array(CommandLine.arguments.dropFirst())) { path in
    unsafe access(path, F_OK) == 0
  }
  switch invocation {
  case .run(let arguments): exit(try perform(arguments).rawValue)
  case .help(let text), .version(let text):
    var output = OutputBuffer(descriptor: 1)
    output.append(text.hasSuffix("\n") ? text : text + "\n")
    exit(Destination.standardOutput.end(output).rawValue)
  }
} catch {
  Complaint.write(error)
  exit(ExitStatus.usage.rawValue)
}
