import BluetoothWire

/// A link that is up: its history so far and what is needed to read its next frame.
struct OpenLink: Sendable {
  var history = LinkHistory()
  /// As `ConnectionKey` has it.
  var key: UInt32 = 0
  var transport = Transport.unknown
  var index = HandleIndex()
  var sent = Reassembly()
  var received = Reassembly()
  /// Continuations of a file without directions that may be of either side, and their octets.
  var undecided = UndecidedFragments()
  var held: [HeldFragment] = []
  var bearers: [Bearer] = [Bearer()]
  var channels: [EnhancedChannel] = []
  var channelRequests: [ChannelRequest] = []
  /// How many of the capture's faults stand in its history.
  var takenFaults = 0
  /// How many more opaque values may be kept as bare PDUs, because a control-point request may be running.
  var headersLeft = 0
  /// How many bare PDUs the link has kept in all: a gadget that writes such values all day must not grow.
  var headersKept = 0

  var keepsEveryValue = false
  /// The handle of the last PDU and its slot: records come in runs on one handle.
  var lastHandleKey: UInt32 = 0
  var lastHandleSlot = 0
  /// The peer's identity key until its identity address has come; never part of the history.
  var identityKey: [UInt8] = []
  var identityAddress: DeviceAddress?

  /// What kind of link it is; a link met in mid-life shows it by its channels.
  enum Transport: UInt8, Sendable { case unknown, lowEnergy, classic }

  mutating func reuse(key: UInt32) {
    history.reuse()
    self.key = key
    transport = .unknown
    index.removeAll()
    sent.reset()
    received.reset()
    undecided.removeAll()
    held.removeAll()
    bearers.removeAll(keepingCapacity: true)
    bearers.append(Bearer())
    channels.removeAll(keepingCapacity: true)
    channelRequests.removeAll(keepingCapacity: true)
    headersLeft = 0
    headersKept = 0
    lastHandleKey = 0
    identityKey.removeAll()
    identityAddress = nil
  }

  /// Events kept for one link; further ones are counted.
  static let eventLimit = 20_000

  mutating func note(_ event: LinkEvent) {
    if history.events.count < Self.eventLimit {
      history.events.append(event)
    } else {
      history.counts.droppedEvents += 1
    }
  }

  @inline(__always)
  mutating func touch(_ frame: UInt32, _ time: Int64) {
    if history.firstFrame == 0 {
      history.firstFrame = frame
      history.firstTime = time
    }
    history.lastFrame = frame
    history.lastTime = time
  }
}
