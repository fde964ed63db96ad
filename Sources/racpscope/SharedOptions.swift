import CaptureFiles
import CommandLineInterface
import HealthProfiles
import LinkTrace
import Reporting

/// Options that several subcommands share, declared once.
enum SharedOptions {
  static let join = Option(
    "--join",
    summary: "read several files as one capture, in the order of their time; frame numbers count on from file to file"
  )
  static let gatt = Option(
    "--gatt",
    value: .file("FILE"),
    repeated: true,
    summary: "names of handles: JSON of 'racpscope gatt' or a BlueZ cache file"
  )
  static let utc = Option("--utc", summary: "times in UTC instead of the local zone")
  static let device = Option(
    "--device",
    value: .value("NAME"),
    summary: "only this device: address or part of its name"
  )
  static let link = Option("--link", value: .value("N"), summary: "only the link with this number")
  static let output = Option(
    "--output",
    short: "-o",
    value: .file("FILE"),
    summary: "write to this file instead of stdout; - is stdout"
  )
  static let since = Option(
    "--since",
    value: .value("TIME"),
    summary: "only readings from this user-facing time on: 2026-01-05 or 2026-01-05T07:30"
  )

  /// The shapes a command writes, the first of which is the one where nothing is said.
  static func format(_ choices: [String], _ summary: String) -> Option {
    format(choices, defaultValue: choices.first, summary)
  }

  /// - Parameter defaultValue: nil where what is asked for decides.
  static func format(_ choices: [String], defaultValue: String?, _ summary: String) -> Option {
    Option("--format", short: "-f", value: .choice("FORMAT", choices), defaultValue: defaultValue, summary: summary)
  }

  static let files = Positional(
    "FILE",
    minimum: 1,
    maximum: nil,
    kind: .file,
    summary: "captures, bug reports, archives; - reads a capture from standard input (save an archive to a file first)"
  )

  /// What the user supplied of attribute names.
  static func memory(_ arguments: ParsedArguments) throws(UsageError) -> TraceMemory {
    var memory = TraceMemory()
    for path in arguments.values("--gatt") {
      do {
        memory.supplied += try GattFile.databases(path: path)
      } catch {
        throw UsageError(error.message(file: path), hint: error.hint)
      }
    }
    return memory
  }

  /// The time of `--since`; nil where it is not given.
  static func since(_ arguments: ParsedArguments) throws(UsageError) -> DateTime? {
    guard let text = arguments.value("--since") else { return nil }
    guard let time = RecordsOptions.time(text) else {
      throw UsageError("'\(text)' is not a time", hint: "write 2026-01-05 or 2026-01-05T07:30")
    }
    return time
  }

  /// Where `--output` says, which may be nothing that is read.
  static func destination(_ arguments: ParsedArguments) throws(UsageError) -> Destination {
    try Destination(arguments.value("--output"), inputs: arguments.positionals + arguments.values("--gatt"))
  }

  static func zone(_ arguments: ParsedArguments) -> TimeText.Zone {
    arguments.flag("--utc") ? .utc : .local
  }
}
