/// The 30 s after which an ATT transaction without its answer has failed (Core Vol 3 Part F 3.3.3). Microseconds.
public enum TransactionTimer {
  public static let length: Int64 = 30_000_000
}
