/// How long a packet may be on its way: what one end sends so shortly before something of the other's, or before the end
/// of the link, may have crossed it in the air, and the two ends see the two in different order. Microseconds.
public enum Crossing {
  public static let length: Int64 = 1_000_000
}
