public import BluetoothWire
public import CaptureFiles

/// Follows the frames of a capture and hands out one history for each link that has ended.
///
/// `follow` returns true when at least one link ended with the frame; `takeEnded` then gives it, and `recycle` takes
/// its storage back. Memory is bounded by the links that are up.
public struct LinkTracker: Sendable {
  /// What is remembered of devices: identities, attribute databases, names.
  public var memory: TraceMemory
  public private(set) var totals = CaptureTotals()

  /// True for output frame by frame: every value of every handle is kept, whatever the memory, and the link of the last
  /// frame is known.
  public var keepsEveryValue = false
  /// Where the link of the last frame stands, and how many PDUs and events it had before; nil for frames of no link and
  /// where output is not frame by frame.
  var latest: (slot: Int, pdus: Int, events: Int)?

  var links: [OpenLink] = []
  /// The clock steps and losses that the links which are up have not all taken.
  private var faults = CaptureFaults()
  var freeSlots: [Int] = []
  var slotOfKey: [UInt32: Int] = [:]
  /// The link of the last ACL packet: most frames belong to the link of the frame before.
  var lastKey: UInt32 = .max
  var lastSlot = 0
  var ended: [LinkHistory] = []
  /// How many of `ended` have been taken.
  private var takenCount = 0
  var pool: [LinkHistory] = []
  var adapters: [AdapterState] = []
  var lastTime: Int64 = .min
  var nextNumber: UInt32 = 1

  public init(memory: TraceMemory = TraceMemory()) {
    self.memory = memory
  }

  /// Takes the next frame; true where a link ended with it.
  public mutating func follow(_ frame: CapturedFrame, _ bytes: RawSpan) -> Bool {
    totals.frames &+= 1
    if keepsEveryValue { latest = nil }
    switch frame.kind {
    case .aclReceived, .aclSent: acl(frame, bytes, received: frame.kind == .aclReceived)
    case .event:
      clock(frame)
      totals.events &+= 1
      event(frame, bytes)
    case .command:
      clock(frame)
      totals.commands &+= 1
      command(frame, bytes)
    case .aclUndirected: undirected(frame, bytes)
    case .adapterAdded, .adapterInformation: adapterFact(frame, bytes)
    case .adapterRemoved, .adapterClosed:
      clock(frame)
      endAll(of: frame.adapter, frame)
    case .scoSent, .scoReceived, .isoSent, .isoReceived: clock(frame)
    case .adapterOpened, .text, .other: break
    }
    return !ended.isEmpty
  }

  /// Tells the links that are up that the logger lost packets before this frame.
  public mutating func lost(_ packets: UInt64, at frame: CapturedFrame) {
    fault(LinkEvent(.packetsLost, frame: frame.number, time: frame.time, isReceived: false, value: packets))
  }

  /// The next ended link, concluded; nil where none is left.
  public mutating func takeEnded() -> LinkHistory? {
    guard !ended.isEmpty else { return nil }
    var next = LinkHistory()
    swap(&next, &ended[takenCount])
    takenCount += 1
    if takenCount == ended.count {
      ended.removeAll(keepingCapacity: true)
      takenCount = 0
    }
    return next
  }

  /// Takes back the storage of a history that is no longer needed.
  public mutating func recycle(_ history: consuming LinkHistory) {
    if pool.count < 8 { pool.append(history) }
  }

  /// Ends the capture: every link that is still up is handed out as such.
  public mutating func finish() {
    let open = links.indices.filter { links[$0].key != .max }
      .sorted { links[$0].history.number < links[$1].history.number }
    for slot in open {
      close(
        slot,
        LinkEnd(
          cause: .captureEnded,
          frame: links[slot].history.lastFrame,
          time: totals.lastTime ?? links[slot].history.lastTime,
          reason: ControllerError(rawValue: 0),
          endedBy: nil
        )
      )
    }
  }

  /// The links that are up now, concluded as far as the frames go.
  public func openLinks() -> [LinkHistory] {
    links.filter { $0.key != .max && $0.transport != .classic }.map { link in
      var link = link
      faults.show(to: &link)
      var history = link.history
      history.end = LinkEnd(
        cause: .open,
        frame: history.lastFrame,
        time: totals.lastTime ?? history.lastTime,
        reason: ControllerError(rawValue: 0),
        endedBy: nil
      )
      history.conclude(with: memory)
      return history
    }
  }

  /// Shows the link the last frame belonged to and where what the frame added begins in `pdus` and `events`: while
  /// `keepsEveryValue` is set.
  ///
  /// Nothing is called for frames of no link, for fragments that complete nothing, and for the frame that ends a link.
  public func withLatest(_ body: (borrowing LinkHistory, _ firstPDU: Int, _ firstEvent: Int) -> Void) {
    guard let latest, links[latest.slot].key != .max else { return }
    body(links[latest.slot].history, latest.pdus, latest.events)
  }

  /// The name a device advertised, as it stood on the air.
  public func advertisedName(of address: DeviceAddress) -> [UInt8]? {
    for adapter in adapters {
      if let name = adapter.names.name(of: address) { return name }
    }
    return nil
  }

  // MARK: Frames

  @inline(__always)
  private mutating func clock(_ frame: CapturedFrame) {
    if totals.firstTime == nil { totals.firstTime = frame.time }
    totals.lastTime = frame.time
    if frame.time < lastTime { clockStep(frame, UInt64(clamping: lastTime &- frame.time), isBack: true) }
    lastTime = frame.time
  }

  /// Tells the links that are up that the clock was set by so many microseconds, back or forth.
  mutating func clockStep(_ frame: CapturedFrame, _ amount: UInt64, isBack: Bool) {
    let code: UInt8 = isBack ? 0 : 1
    fault(LinkEvent(.clockStep, frame: frame.number, time: frame.time, isReceived: false, code: code, value: amount))
  }

  private mutating func fault(_ event: LinkEvent) {
    guard !slotOfKey.isEmpty else { return }
    if faults.isFull {
      for slot in links.indices where links[slot].key != .max {
        faults.give(to: &links[slot])
        links[slot].takenFaults = 0
      }
      faults.removeAll()
    }
    faults.note(event)
  }

  /// Gives a link the clock steps and losses since it was last spoken of: what is noted next stands behind them.
  @inline(__always)
  mutating func catchUp(_ slot: Int) {
    if links[slot].takenFaults != faults.count { faults.give(to: &links[slot]) }
  }

  /// Takes note of where a link stands before what the frame adds to it.
  @inline(__always)
  mutating func mark(_ slot: Int) {
    guard keepsEveryValue else { return }
    latest = (slot, links[slot].history.pdus.count, links[slot].history.events.count)
  }

  @inline(__always)
  private mutating func acl(_ frame: CapturedFrame, _ bytes: RawSpan, received: Bool) {
    clock(frame)
    guard bytes.byteCount >= 4 else {
      totals.shortFrames &+= 1
      return
    }
    let header = bytes.u16(at: 0)
    guard header & 0x0FFF != 0x0EDC else {
      totals.vendorLogPackets &+= 1
      return
    }
    let key = ConnectionKey.of(adapter: frame.adapter, handle: header)
    let slot = key == lastKey ? lastSlot : find(key)
    catchUp(slot)
    mark(slot)
    if links[slot].repeated(bytes, received: received, frame: frame.number, time: frame.time) { return }
    links[slot].fragment(
      bytes.extracting(4..<bytes.byteCount),
      boundary: header >> 12 & 3,
      dataLength: Int(bytes.u16(at: 2)),
      received: received,
      frame: frame.number,
      time: frame.time
    )
  }

  /// ACL of a file without directions: the side whose PDU is open gets the continuation (captures.md 2).
  private mutating func undirected(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.byteCount >= 4 else {
      clock(frame)
      totals.shortFrames &+= 1
      return
    }
    let header = bytes.u16(at: 0)
    let boundary = header >> 12 & 3
    guard boundary == 1 else { return acl(frame, bytes, received: boundary == 2) }
    let slot = find(ConnectionKey.of(adapter: frame.adapter, handle: header))
    let isSentOpen = links[slot].sent.isOpen
    guard isSentOpen == links[slot].received.isOpen else { return acl(frame, bytes, received: !isSentOpen) }
    clock(frame)
    catchUp(slot)
    mark(slot)
    if isSentOpen {
      links[slot].undirected(
        bytes.extracting(4..<bytes.byteCount),
        dataLength: Int(bytes.u16(at: 2)),
        frame: frame.number,
        time: frame.time
      )
    } else if links[slot].sent.hasStarted || links[slot].received.hasStarted {
      // Otherwise it may well be the rest of a PDU that began before the capture.
      links[slot].broken(1, true, frame.number, frame.time)
    }
  }

  // MARK: The table of links

  func slot(_ adapter: UInt16, _ handle: UInt16) -> Int? {
    slotOfKey[ConnectionKey.of(adapter: adapter, handle: handle)]
  }

  private mutating func find(_ key: UInt32) -> Int {
    let slot = slotOfKey[key] ?? add(key)
    lastKey = key
    lastSlot = slot
    return slot
  }

  /// Makes room for a link, met at its start or in mid-life.
  ///
  /// - Parameter mayServe: false where the host is known to be no peripheral on it.
  mutating func add(_ key: UInt32, mayServe: Bool = true) -> Int {
    if slotOfKey.count >= Self.openLimit { giveUpOldest() }
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = links.count
      links.append(OpenLink())
    }
    if let spare = pool.popLast() { links[slot].history = spare }
    links[slot].reuse(key: key)
    if slotOfKey.isEmpty { faults.removeAll() }
    links[slot].takenFaults = faults.count
    if mayServe && !slotOfKey.isEmpty { meet(slot, on: UInt16(key >> 16)) }
    links[slot].history.adapter = UInt16(key >> 16)
    links[slot].history.handle = UInt16(truncatingIfNeeded: key & 0x0FFF)
    links[slot].history.number = nextNumber
    links[slot].keepsEveryValue = keepsEveryValue
    nextNumber += 1
    slotOfKey[key] = slot
    return slot
  }

  /// Notes on a new link and on those of its adapter that are up that they run side by side. What the host itself connects
  /// to, and what is no low energy link, brings no collector.
  private mutating func meet(_ slot: Int, on adapter: UInt16) {
    for other in links.indices where other != slot && links[other].key != .max && links[other].key >> 16 == adapter {
      if links[other].transport == .classic || links[other].history.start?.isCentral == true { continue }
      links[other].history.runsBesideAnother = true
      links[slot].history.runsBesideAnother = true
    }
  }

  /// More links than all controllers of a host hold at a time: only a damaged or hostile file has so many.
  private static let openLimit = 4096

  private mutating func giveUpOldest() {
    var oldest = 0
    var frame = UInt32.max
    for slot in links.indices where links[slot].key != .max && links[slot].history.lastFrame < frame {
      oldest = slot
      frame = links[slot].history.lastFrame
    }
    guard frame < .max else { return }
    close(
      oldest,
      LinkEnd(
        cause: .superseded,
        frame: links[oldest].history.lastFrame,
        time: links[oldest].history.lastTime,
        reason: ControllerError(rawValue: 0),
        endedBy: nil
      )
    )
  }

  /// Ends a link: what it was is decided, its names are resolved, and it waits to be taken.
  mutating func close(_ slot: Int, _ end: LinkEnd) {
    let key = links[slot].key
    catchUp(slot)
    slotOfKey[key] = nil
    if lastKey == key { lastKey = .max }
    links[slot].key = .max
    freeSlots.append(slot)
    links[slot].settleFragments()
    let transport = links[slot].transport
    if transport == .classic || (transport == .unknown && links[slot].history.start == nil) {
      // A number is not used up by what turns out to be no Low Energy link, unless a later one has the next.
      let number = links[slot].history.number
      if number > 0 && number == nextNumber &- 1 { nextNumber = number }
      if transport == .classic || links[slot].history.counts.otherChannelPDUs > 0 { totals.classicLinks += 1 }
      return
    }
    totals.lowEnergyLinks += 1
    if let address = links[slot].identityAddress {
      memory.learn(key: links[slot].identityKey, of: address)
    }
    links[slot].settleRequests()
    var history = LinkHistory()
    swap(&history, &links[slot].history)
    history.end = end
    history.conclude(with: memory)
    memory.learn(history)
    ended.append(history)
  }

  mutating func endAll(of adapter: UInt16, _ frame: CapturedFrame) {
    for slot in links.indices where links[slot].key != .max && links[slot].history.adapter == adapter {
      close(
        slot,
        LinkEnd(
          cause: .controllerGone,
          frame: frame.number,
          time: frame.time,
          reason: ControllerError(rawValue: 0),
          endedBy: nil
        )
      )
    }
  }

  func adapterPosition(_ index: UInt16) -> Int? { adapters.firstIndex { $0.index == index } }

  mutating func adapter(_ index: UInt16) -> Int {
    if let position = adapterPosition(index) { return position }
    // More controllers than any host has had are not told apart: their addresses are not worth the memory.
    if adapters.count >= 64 { return 0 }
    adapters.append(AdapterState(index: index))
    return adapters.count - 1
  }

  private mutating func adapterFact(_ frame: CapturedFrame, _ bytes: RawSpan) {
    // New index: type, bus, address; index information: address, manufacturer (captures.md 1.1).
    let offset = frame.kind == .adapterAdded ? 2 : 0
    guard bytes.byteCount >= offset + 6 else { return }
    let address = DeviceAddress(bytes, at: offset, isRandom: false)
    if address.value != 0 { adapters[adapter(frame.adapter)].publicAddress = address }
  }
}
