/// The exit codes of every subcommand.
enum ExitStatus: Int32 {
  case done = 0
  /// Usage, or input that cannot be read.
  case usage = 2
}
