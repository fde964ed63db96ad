/// The 30 s without record or result after which a procedure is taken for failed (GLP 4.7.5). Microseconds.
public enum ProcedureTimer {
  public static let length: Int64 = 30_000_000
  /// A last record or a result may stand in the capture so much later than it was sent: where it may still come, a
  /// procedure is given up only after this as well.
  public static let tolerance: Int64 = 1_000_000

  /// From here on it has run out, whatever may still come.
  public static let limit = length + tolerance

  /// True where a procedure that has been idle so long can be given up while its link is up.
  static func hasSurelyRunOut(_ idle: Int64) -> Bool { idle > limit }
}
