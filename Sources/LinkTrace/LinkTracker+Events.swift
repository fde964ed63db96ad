import BluetoothWire
import CaptureFiles

extension LinkTracker {
  /// Reads an event of the controller (Core Vol 4 Part E 7.7).
  mutating func event(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.byteCount >= 2 else { return }
    let count = bytes.byteCount - 2
    switch bytes.u8(at: 0) {
    case 0x13: completedPackets(frame, bytes)
    case 0x3E where count >= 1: lowEnergyEvent(frame, bytes)
    case 0x05 where count >= 4: disconnected(frame, bytes)
    case 0x03 where count >= 11 && bytes.u8(at: 2) == 0: classicLink(frame, bytes.u16(at: 3))
    case 0x08 where count >= 4:
      event(
        frame,
        handle: bytes.u16(at: 3),
        .encryptionChange,
        code: bytes.u8(at: 2),
        value: UInt64(bytes.u8(at: 5))
      )
    case 0x59 where count >= 5:
      event(
        frame,
        handle: bytes.u16(at: 3),
        .encryptionChange,
        code: bytes.u8(at: 2),
        value: UInt64(bytes.u8(at: 5)) | UInt64(bytes.u8(at: 6)) << 8
      )
    case 0x30 where count >= 3:
      event(frame, handle: bytes.u16(at: 3), .keyRefresh, code: bytes.u8(at: 2))
    case 0x0E where count >= 3: commandComplete(frame, bytes, count)
    case 0x0F where count >= 4:
      // A Disconnect the controller refuses: the command stands in the history, so its failure must as well.
      if bytes.u16(at: 4) == 0x0406 && bytes.u8(at: 2) != 0 { refusedDisconnect(frame, code: bytes.u8(at: 2)) }
    default: return
    }
  }

  private mutating func commandComplete(_ frame: CapturedFrame, _ bytes: RawSpan, _ count: Int) {
    switch bytes.u16(at: 3) {
    case 0x1009 where count >= 10 && bytes.u8(at: 5) == 0:
      let position = adapter(frame.adapter)
      adapters[position].publicAddress = DeviceAddress(bytes, at: 6, isRandom: false)
    case 0x0C03: endAll(of: frame.adapter, frame)
    default: return
    }
  }

  private mutating func refusedDisconnect(_ frame: CapturedFrame, code: UInt8) {
    for slot in links.indices where links[slot].key != .max && links[slot].history.adapter == frame.adapter {
      catchUp(slot)
      guard let last = links[slot].history.events.last, last.kind == .disconnectCommand else { continue }
      links[slot].note(
        LinkEvent(.disconnectRefused, frame: frame.number, time: frame.time, isReceived: true, code: code)
      )
    }
  }

  private mutating func completedPackets(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.byteCount >= 3 else { return }
    let entries = Int(bytes.u8(at: 2))
    var at = 3
    for _ in 0..<entries where at + 4 <= bytes.byteCount {
      let key = ConnectionKey.of(adapter: frame.adapter, handle: bytes.u16(at: at))
      if let slot = key == lastKey ? lastSlot : slotOfKey[key] {
        let jump = links[slot].complete(bytes.u16(at: at + 2), frame.time)
        if jump > 0 { clockStep(frame, jump, isBack: false) }
      }
      at += 4
    }
  }

  private mutating func classicLink(_ frame: CapturedFrame, _ handle: UInt16) {
    supersede(frame, handle)
    let slot = add(ConnectionKey.of(adapter: frame.adapter, handle: handle), mayServe: false)
    links[slot].transport = .classic
    links[slot].history.number = 0
    nextNumber -= 1
  }

  /// A handle that is given out again shows that its link has ended unseen.
  private mutating func supersede(_ frame: CapturedFrame, _ handle: UInt16) {
    if let slot = slot(frame.adapter, handle) { supersede(frame, slot: slot) }
  }

  /// So does a new link with the same peer: a controller has no more than one with it (Core Vol 4 Part E 7.8.12).
  private mutating func supersede(_ frame: CapturedFrame, _ peer: DeviceAddress, isCentral: Bool) {
    let identity = self.identity(of: peer)
    for slot in links.indices where links[slot].key != .max && links[slot].history.adapter == frame.adapter {
      guard let start = links[slot].history.start, start.isCentral == isCentral else { continue }
      let isSame = identity != nil && links[slot].history.peerIdentity == identity
      if isSame || start.peer == peer { supersede(frame, slot: slot) }
    }
  }

  private mutating func identity(of peer: DeviceAddress) -> DeviceAddress? {
    peer.kind == .resolvablePrivate ? memory.identities.identity(of: peer) : peer
  }

  private mutating func supersede(_ frame: CapturedFrame, slot: Int) {
    close(
      slot,
      LinkEnd(
        cause: .superseded,
        frame: frame.number,
        time: frame.time,
        reason: ControllerError(rawValue: 0),
        endedBy: nil
      )
    )
  }

  private mutating func disconnected(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.u8(at: 2) == 0, let slot = slot(frame.adapter, bytes.u16(at: 3)) else { return }
    let reason = ControllerError(rawValue: bytes.u8(at: 5))
    links[slot].touch(frame.number, frame.time)
    close(
      slot,
      LinkEnd(
        cause: .disconnected,
        frame: frame.number,
        time: frame.time,
        reason: reason,
        endedBy: endedBy(links[slot].history, reason)
      )
    )
  }

  /// The Disconnect command first, the reason second: controllers have been seen to repeat the command's reason.
  private func endedBy(_ history: LinkHistory, _ reason: ControllerError) -> Side? {
    for event in history.events.reversed() {
      if event.kind == .disconnectRefused { break }
      if event.kind == .disconnectCommand { return .local }
    }
    if reason.isByPeer { return .remote }
    return reason == .localHost ? .local : nil
  }

  private mutating func lowEnergyEvent(_ frame: CapturedFrame, _ bytes: RawSpan) {
    let count = bytes.byteCount - 3
    switch bytes.u8(at: 2) {
    case 0x01 where count >= 18 || (frame.isClipped && count >= 11): connected(frame, bytes, isEnhanced: false)
    case 0x0A where count >= 30 || (frame.isClipped && count >= 11),
      0x29 where count >= 30 || (frame.isClipped && count >= 11):
      connected(frame, bytes, isEnhanced: true)
    case 0x02 where count >= 1: advertised(frame, bytes)
    case 0x0D where count >= 1: advertisedExtended(frame, bytes)
    case 0x03 where count >= 9:
      event(
        frame,
        handle: bytes.u16(at: 4),
        .connectionUpdate,
        code: bytes.u8(at: 3),
        value: UInt64(bytes.u16(at: 6)) | UInt64(bytes.u16(at: 8)) << 16 | UInt64(bytes.u16(at: 10)) << 32
      )
    case 0x05 where count >= 12:
      let hasIdentifier = bytes.u64(at: 5) != 0 || bytes.u16(at: 13) != 0
      event(frame, handle: bytes.u16(at: 3), .longTermKeyRequest, value: hasIdentifier ? 1 : 0)
    case 0x06 where count >= 10:
      event(frame, handle: bytes.u16(at: 3), .remoteParameterRequest, value: bytes.u64(at: 5))
    case 0x07 where count >= 10:
      event(frame, handle: bytes.u16(at: 3), .dataLength, value: bytes.u64(at: 5))
    case 0x0C where count >= 5:
      event(
        frame,
        handle: bytes.u16(at: 4),
        .phyUpdate,
        code: bytes.u8(at: 3),
        value: UInt64(bytes.u16(at: 6))
      )
    default: return
    }
  }

  private mutating func connected(_ frame: CapturedFrame, _ bytes: RawSpan, isEnhanced: Bool) {
    guard bytes.u8(at: 3) == 0 else { return }
    let handle = bytes.u16(at: 4) & 0x0FFF
    let early = earlyData(frame, handle)
    if early == nil { supersede(frame, handle) }
    let type = bytes.u8(at: 7)
    let peer = DeviceAddress(bytes, at: 8, isRandom: type & 1 == 1)
    var localResolvable: DeviceAddress?
    var peerResolvable: DeviceAddress?
    var at = 14
    if isEnhanced && bytes.byteCount >= 26 {
      let local = DeviceAddress(bytes, at: 14, isRandom: true)
      let remote = DeviceAddress(bytes, at: 20, isRandom: true)
      if local.value != 0 { localResolvable = local }
      if remote.value != 0 { peerResolvable = remote }
    }
    if isEnhanced { at = 26 }
    let hasParameters = bytes.byteCount >= at + 6
    let isCentral = bytes.u8(at: 6) == 0
    supersede(frame, peer, isCentral: isCentral)
    let slot = early ?? add(ConnectionKey.of(adapter: frame.adapter, handle: handle), mayServe: !isCentral)
    links[slot].transport = .lowEnergy
    links[slot].touch(frame.number, frame.time)
    links[slot].history.start = LinkStart(
      frame: frame.number,
      time: frame.time,
      isCentral: isCentral,
      peer: peer,
      isPeerResolved: type == 2 || type == 3,
      localResolvable: localResolvable,
      peerResolvable: peerResolvable,
      interval: hasParameters ? bytes.u16(at: at) : 0,
      latency: hasParameters ? bytes.u16(at: at + 2) : 0,
      supervisionTimeout: hasParameters ? bytes.u16(at: at + 4) : 0
    )
    links[slot].history.peerIdentity = identity(of: peer)
    if let position = adapterPosition(frame.adapter) {
      let isPeripheral = !isCentral
      if localResolvable == nil {
        links[slot].history.start?.localResolvable = adapters[position].resolvable(isCentral: isCentral)
      }
      // A peripheral that sets a static random address advertises with it; a central's own choice is not shown here.
      let random = adapters[position].randomAddress
      let advertised = adapters[position].advertisingAddress ?? random
      links[slot].history.localAddress =
        isPeripheral && advertised?.kind == .randomStatic ? advertised : adapters[position].publicAddress ?? random
      links[slot].history.localOffersHealth = isPeripheral && adapters[position].offersHealth
      links[slot].history.localOffersOthersOnly =
        isPeripheral && adapters[position].offersOthersOnly && !adapters[position].offersHealth
      if isPeripheral, let address = links[slot].history.localAddress, !adapters[position].ownName.isEmpty {
        memory.learn(name: adapters[position].ownName, of: address)
      }
    }
    if let identity = links[slot].history.peerIdentity, let known = memory.databases[identity] {
      links[slot].history.remote = known
    }
    if let known = memory.localDatabases[frame.adapter] { links[slot].history.local = known }
    links[slot].history.peerOffersHealth = adapters.contains { $0.names.offersHealth(peer) }
    if let name = advertisedName(of: peer) { memory.learn(name: name, of: links[slot].history.peerIdentity ?? peer) }
  }

  /// The link that data of the peer belongs to which stands before the event of its link: the two come over different
  /// pipes of a USB controller and may pass each other.
  private func earlyData(_ frame: CapturedFrame, _ handle: UInt16) -> Int? {
    guard let slot = slot(frame.adapter, handle), links[slot].history.start == nil,
      links[slot].transport != .classic, links[slot].history.counts.sentFragments == 0,
      (0...Self.overtaking).contains(frame.time &- links[slot].history.firstTime)
    else { return nil }
    return slot
  }

  /// How long before its link's event data may stand, in microseconds.
  private static let overtaking: Int64 = 100_000

  private mutating func advertised(_ frame: CapturedFrame, _ bytes: RawSpan) {
    let reports = Int(bytes.u8(at: 3))
    // The fields of several reports are interleaved; controllers send one report an event.
    guard reports == 1, bytes.byteCount >= 13 else { return }
    let length = Int(bytes.u8(at: 12))
    guard 13 + length <= bytes.byteCount else { return }
    let position = adapter(frame.adapter)
    adapters[position].names.learn(
      DeviceAddress(bytes, at: 6, isRandom: bytes.u8(at: 5) & 1 == 1),
      bytes.extracting(13..<(13 + length))
    )
  }

  private mutating func advertisedExtended(_ frame: CapturedFrame, _ bytes: RawSpan) {
    var at = 4
    let position = adapter(frame.adapter)
    for _ in 0..<Int(bytes.u8(at: 3)) where at + 24 <= bytes.byteCount {
      let length = Int(bytes.u8(at: at + 23))
      guard at + 24 + length <= bytes.byteCount else { return }
      adapters[position].names.learn(
        DeviceAddress(bytes, at: at + 3, isRandom: bytes.u8(at: at + 2) & 1 == 1),
        bytes.extracting((at + 24)..<(at + 24 + length))
      )
      at += 24 + length
    }
  }
}
