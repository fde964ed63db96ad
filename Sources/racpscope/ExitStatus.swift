/// The exit codes of every subcommand.
enum ExitStatus: Int32 {
  case done = 0
  /// Usage, input that cannot be read, or output that did not arrive.
  case usage = 2

  /// The worse of two.
  func joined(with other: ExitStatus) -> ExitStatus { self == .done ? other : self }
}
