/// Clock steps and losses of a capture: they befall every link that is up, so they are kept once.
///
/// Each link takes its slice before the next thing is noted on it, at its end, and where it is shown.
struct CaptureFaults: Sendable {
  /// A fault, and what all up to it come to; the sums wrap, so that only their differences mean something.
  private struct Fault: Sendable {
    var event: LinkEvent
    var clockSteps: UInt32 = 0
    var losses: UInt32 = 0
    var lostPackets: UInt32 = 0

    init(_ event: LinkEvent, after before: Fault?) {
      self.event = event
      if let before { (clockSteps, losses, lostPackets) = (before.clockSteps, before.losses, before.lostPackets) }
      if event.kind == .packetsLost {
        losses &+= 1
        lostPackets &+= UInt32(clamping: event.value)
      } else {
        clockSteps &+= 1
      }
    }
  }

  private var faults: [Fault] = []
  /// How many further events links may be given: what a capture costs must not grow with faults times open links.
  private var allowance = 8 * OpenLink.eventLimit
  /// How many faults may wait before every link takes its slice and they are forgotten.
  static let limit = 65_536

  /// How many faults there are; what a link has taken is a number of the same kind.
  var count: Int { faults.count }
  var isFull: Bool { faults.count >= Self.limit }

  /// Notes a clock step or a loss.
  mutating func note(_ event: LinkEvent) {
    faults.append(Fault(event, after: faults.last))
    // One event for each fault can always be paid for: a link that is up alone gets all of its own.
    allowance += 1
  }

  /// Gives a link what has happened since it took its last slice.
  mutating func give(to link: inout OpenLink) {
    allowance -= Self.give(faults, to: &link, allowance)
  }

  /// Gives the copy of a link that is shown what it would take if it ended now.
  func show(to link: inout OpenLink) {
    _ = Self.give(faults, to: &link, allowance)
  }

  /// Forgets the faults that every link has taken.
  mutating func removeAll() { faults.removeAll(keepingCapacity: true) }

  /// Adds the events a link has room for, and counts the others; returns how many were added.
  private static func give(_ faults: [Fault], to link: inout OpenLink, _ allowance: Int) -> Int {
    guard link.takenFaults < faults.count, let last = faults.last else { return 0 }
    let first = link.takenFaults
    let before = first > 0 ? faults[first - 1] : nil
    link.history.counts.clockSteps &+= last.clockSteps &- (before?.clockSteps ?? 0)
    link.history.counts.lostPackets &+= last.lostPackets &- (before?.lostPackets ?? 0)
    if last.losses != before?.losses ?? 0 {
      for bearer in link.bearers.indices { link.bearers[bearer].doubt() }
    }
    let room = max(0, min(faults.count - first, allowance, OpenLink.eventLimit - link.history.events.count))
    for fault in faults[first..<(first + room)] { link.history.events.append(fault.event) }
    link.history.counts.droppedEvents &+= UInt32(clamping: faults.count - first - room)
    link.takenFaults = faults.count
    return room
  }
}
