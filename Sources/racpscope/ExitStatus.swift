/// The exit codes of every subcommand.
enum ExitStatus: Int32 {
  case done = 0
  /// Findings that count (`lint`), a reading that is missing (`compare`), not all fetched and nothing lost (`sync`).
  case findings = 1
  /// Usage, input that cannot be read, output that did not arrive, or nothing there of the device, link or frames that
  /// were asked for.
  case usage = 2
  /// Nothing in the input to judge (`lint`, `compare`), no adapter or no permission for it (live).
  case nothing = 3
  /// Pairing or encryption failed.
  case pairing = 4
  /// The meter or its part of the store is in use.
  case busy = 5

  /// What a sync that is not complete ends with.
  static let partial = ExitStatus.findings
  /// What a live command without a usable adapter ends with.
  static let adapter = ExitStatus.nothing

  /// The worse of two.
  func joined(with other: ExitStatus) -> ExitStatus { self == .done ? other : self }
}
