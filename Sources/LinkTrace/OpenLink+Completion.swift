import BluetoothWire

extension OpenLink {
  /// The most a sent packet waits for its acknowledgement beyond the connection events that may be skipped, in
  /// microseconds (field rules 0, V-MONO).
  private static var longestWait: Int64 { 1_000_000 }

  /// Takes a report of Number Of Completed Packets (Core Vol 4 Part E 7.7.19).
  ///
  /// - Returns: by how many microseconds the clock of the capture was set forward meanwhile, at least; 0 where nothing
  ///   tells. The radio acknowledges a packet within a few connection events: one that seems to have waited for longer,
  ///   with nothing else on the link, waited while the clock was set. Only a report that settles everything is such a
  ///   witness: a lost one leaves packets that wait for ever.
  mutating func complete(_ packets: UInt16, _ time: Int64) -> UInt64 {
    let waited = history.counts.sentFragments > history.counts.completedFragments
    history.counts.completedFragments &+= UInt64(packets)
    guard waited, history.counts.sentFragments == history.counts.completedFragments else { return 0 }
    let (elapsed, isOverflow) = time.subtractingReportingOverflow(history.lastTime)
    guard !isOverflow, elapsed > Self.longestWait else { return 0 }
    let beyond = elapsed - Self.longestWait - skippedTime
    return beyond > 0 ? UInt64(beyond) : 0
  }

  /// Microseconds in which the peripheral need not listen: the connection interval times the events it may skip.
  private var skippedTime: Int64 {
    var interval = history.start?.interval ?? 0
    var latency = history.start?.latency ?? 0
    for event in history.events where event.kind == .connectionUpdate && event.code == 0 {
      let update = ConnectionUpdate(packed: event.value)
      (interval, latency) = (update.interval, update.latency)
    }
    return Int64(interval) * 1250 * (Int64(latency) + 1)
  }
}
