/// The exit codes of every subcommand.
enum ExitStatus: Int32 {
  case done = 0
  /// Findings that count (`lint`).
  case findings = 1
  /// Usage, input that cannot be read, or output that did not arrive.
  case usage = 2
  /// Nothing in the input to judge (`lint`).
  case nothing = 3

  /// The worse of two.
  func joined(with other: ExitStatus) -> ExitStatus { self == .done ? other : self }
}
