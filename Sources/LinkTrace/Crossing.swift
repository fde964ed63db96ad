/// How long a packet may be on its way: what one end sends so shortly before something of the other's, or before the end
/// of the link, may have crossed it in the air, and the two ends see the two in different order. Microseconds.
public enum Crossing {
  /// On a link of whose parameters nothing is known, and at least.
  public static let length: Int64 = 1_000_000

  /// A peripheral may leave out as many connection events as its latency says, and a packet may have to be sent again.
  static func length(interval: UInt16, latency: UInt16) -> Int64 {
    max(length, 2 * 1_250 * Int64(interval) * (Int64(latency) + 1))
  }
}

extension LinkHistory {
  /// The longest that a packet may have been on its way over this link, by the parameters it had. Microseconds.
  public var crossing: Int64 {
    var longest = Crossing.length
    if let start { longest = Crossing.length(interval: start.interval, latency: start.latency) }
    for event in events where event.kind == .connectionUpdate && event.code == 0 {
      let update = ConnectionUpdate(packed: event.value)
      longest = max(longest, Crossing.length(interval: update.interval, latency: update.latency))
    }
    return longest
  }
}
