/// The exit codes of every subcommand.
enum ExitStatus: Int32 {
  case done = 0
  /// Findings that count (`lint`).
  case findings = 1
  /// Usage, or input that cannot be read.
  case usage = 2
  /// Nothing in the input to judge (`lint`).
  case nothing = 3
}
