/// How long a collector waits, in nanoseconds.
enum CollectorTiming {
  static let second: UInt64 = 1_000_000_000
  /// An ATT transaction (Core Vol 3 Part F 3.3.3).
  static let attributeResponse = 30 * second
  /// A record access procedure without a record or its response (GLP 4.7.5).
  static let recordAccess = 30 * second
  /// Pairing with a passkey a person has to type: the 30 s of the Security Manager (Core Vol 3 Part H 3.4), twice.
  static let security = 60 * second
  /// Between two tries while the meter is busy (GLP 4.7).
  static let busyPause = 2 * second
  static let busyAttempts = 15
  /// Quiet that is waited for after a response that cannot have been the end.
  static let trailingRecords = 2 * second
  /// The same after a response that looks like the end, where no other procedure follows.
  static let lastRecords: UInt64 = 300_000_000
  /// The response to an Abort, or to a write whose procedure is over already.
  static let courtesy = 5 * second
  /// Between two progress reports.
  static let progress = second / 4
}
