/// Why what is not seen on a link may have happened all the same.
public enum HiddenTraffic: Sendable, Equatable {
  /// The logger kept nothing of attribute packets.
  case emptiedPackets
  /// Packets of one side alone are in the capture.
  case onlySent, onlyReceived
  /// Values came from handles that nothing names.
  case unnamedValues(UInt32)

  /// - Returns: nil where the link hides nothing.
  public init?(_ history: borrowing LinkHistory) {
    if history.counts.emptiedPDUs > 0 {
      self = .emptiedPackets
      return
    }
    let (sent, received) = (history.counts.sentPDUs, history.counts.receivedPDUs)
    if sent == 0 && received > 1 || received == 0 && sent > 1 {
      self = sent == 0 ? .onlyReceived : .onlySent
      return
    }
    // A link that shows its table names what matters; what is left is another service's.
    guard history.counts.clippedPDUs > 0 else { return nil }
    var values: UInt32 = 0
    for traffic in history.handles
    where traffic.role == .unknown && traffic.server == history.sensor ?? traffic.server {
      values &+= traffic.notifications &+ traffic.indications
    }
    guard values > 0 else { return nil }
    self = .unnamedValues(values)
  }
}
