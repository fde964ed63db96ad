import BluetoothWire
import HealthProfiles

extension OpenLink {
  /// Values kept of a handle that nothing names; what comes beyond is counted.
  static let unnamedLimit: UInt32 = 64
  /// Bare PDUs kept after a write that may be a control-point request, so that its records can be counted.
  static let headerLimit = 65_536
  /// Bare PDUs kept over a link's life.
  static let headerBudget = 262_144
  /// PDUs of rare kinds (long reads, unknown op codes) kept for one link.
  static let oddLimit: UInt32 = 8_192

  /// Takes one ATT PDU, whole or as much of it as the logger kept.
  mutating func attribute(
    _ bytes: RawSpan,
    original: Int,
    received isReceived: Bool,
    bearer: UInt8,
    frame: UInt32,
    time: Int64
  ) {
    if isReceived { history.counts.receivedPDUs &+= 1 } else { history.counts.sentPDUs &+= 1 }
    guard bytes.byteCount >= 1 else {
      history.counts.emptiedPDUs &+= 1
      return
    }
    let isClipped = bytes.byteCount < original
    if isClipped { history.counts.clippedPDUs &+= 1 }
    if isClipped && bytes.byteCount < 3 && Self.namesHandle(ATTOpcode(rawValue: bytes.u8(at: 0))) {
      history.counts.namelessPDUs &+= 1
    }
    var pdu = AttributePDU(
      frame: frame,
      partner: AttributePDU.none,
      time: time,
      valueStart: 0,
      valueCount: 0,
      originalLength: UInt16(clamping: original),
      handle: 0,
      attribute: .max,
      opcodeValue: bytes.u8(at: 0),
      flags: (isReceived ? AttributePDU.receivedFlag : 0) | (isClipped ? AttributePDU.clippedFlag : 0),
      bearer: bearer
    )
    switch pdu.opcode {
    case .notification: notified(pdu, bytes)
    case .indication: indicated(pdu, bytes)
    case .confirmation: confirmed(pdu)
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest, .writeCommand, .signedWriteCommand:
      accessed(&pdu, bytes)
    case .multipleNotification: notifiedTogether(pdu, bytes)
    default:
      switch pdu.opcode.role {
      case .request: asked(&pdu, bytes)
      case .response: answered(&pdu, bytes)
      default: keepOdd(pdu, bytes, from: 1)
      }
    }
  }

  /// True for PDUs whose first two octets behind the op code are the handle of a value.
  private static func namesHandle(_ opcode: ATTOpcode) -> Bool {
    switch opcode {
    case .notification, .multipleNotification, .indication, .readRequest, .readBlobRequest, .writeRequest,
      .prepareWriteRequest, .writeCommand, .signedWriteCommand:
      true
    default: false
    }
  }

  // MARK: Values a server sends by itself

  @inline(__always)
  private mutating func notified(_ bare: AttributePDU, _ bytes: RawSpan) {
    var pdu = bare
    guard bytes.byteCount >= 3 else { return keepOdd(pdu, bytes, from: 1) }
    pdu.handle = bytes.u16(at: 1)
    let server: Side = pdu.isReceived ? .remote : .local
    guard let slot = slot(pdu.handle, server, pdu.frame) else { return drop() }
    pdu.attribute = UInt16(slot)
    let value = bytes.extracting(3..<bytes.byteCount)
    if history.handles[slot].notify(pdu.frame) {
      keep(pdu, value)
    } else {
      keepValue(pdu, value, slot)
    }
  }

  private mutating func keepValue(_ pdu: AttributePDU, _ value: RawSpan, _ slot: Int) {
    switch retention(of: value, slot: slot, isClipped: pdu.isClipped) {
    case .value: keep(pdu, value)
    case .header:
      var bare = pdu
      bare.flags |= AttributePDU.droppedFlag
      append(bare)
    case .count: drop()
    }
  }

  private mutating func indicated(_ bare: AttributePDU, _ bytes: RawSpan) {
    var pdu = bare
    guard bytes.byteCount >= 3 else {
      bearers[Int(pdu.bearer)].indicate(Bearer.uncounted, received: pdu.isReceived)
      return keepOdd(pdu, bytes, from: 1)
    }
    pdu.handle = bytes.u16(at: 1)
    let server: Side = pdu.isReceived ? .remote : .local
    let position = UInt32(history.pdus.count)
    guard let slot = slot(pdu.handle, server, pdu.frame) else {
      bearers[Int(pdu.bearer)].indicate(Bearer.uncounted, received: pdu.isReceived)
      return drop()
    }
    pdu.attribute = UInt16(slot)
    history.handles[slot].indications &+= 1
    history.handles[slot].total &+= 1
    keepValue(pdu, bytes.extracting(3..<bytes.byteCount), slot)
    let open = history.pdus.count > Int(position) ? position : Bearer.uncounted
    bearers[Int(pdu.bearer)].indicate(open, received: pdu.isReceived)
  }

  private mutating func confirmed(_ bare: AttributePDU) {
    var pdu = bare
    let bearer = Int(pdu.bearer)
    // A confirmation that is received answers the indication that was sent.
    let open = bearers[bearer].confirm(received: !pdu.isReceived)
    // Frame by frame each is told, also where its indication has no handle any more.
    if open == Bearer.uncounted { return keepsEveryValue ? append(pdu) : drop() }
    if open == AttributePDU.none && !bearers[bearer].takeOvertaken(received: !pdu.isReceived) {
      history.counts.strayConfirmation(pdu.frame)
      if history.counts.firstGap == nil { history.counts.gap(after: lastFrame { $0.opcode == .confirmation }) }
    }
    if open != AttributePDU.none {
      let indication = history.pdus[Int(open)]
      if pdu.time &- indication.time > VisibilityFacts.endlessWait { history.counts.hasEndlessWait = true }
      history.pdus[Int(open)].partner = UInt32(history.pdus.count)
      pdu.partner = open
      pdu.handle = indication.handle
      pdu.attribute = indication.attribute
      if pdu.attribute != .max { history.handles[Int(pdu.attribute)].lastConfirmed = open }
      append(pdu)
    } else if hasRoomForOdd {
      append(pdu)
    } else {
      drop()
    }
  }

  private mutating func notifiedTogether(_ bare: AttributePDU, _ bytes: RawSpan) {
    var at = 1
    while at + 4 <= bytes.byteCount {
      var pdu = bare
      pdu.handle = bytes.u16(at: at)
      let length = Int(bytes.u16(at: at + 2))
      let kept = min(length, bytes.byteCount - at - 4)
      pdu.originalLength = UInt16(clamping: 3 + length)
      if kept == length { pdu.flags &= ~AttributePDU.clippedFlag }
      if kept < length { pdu.flags |= AttributePDU.clippedFlag }
      if let slot = slot(pdu.handle, pdu.isReceived ? .remote : .local, pdu.frame) {
        pdu.attribute = UInt16(slot)
        _ = history.handles[slot].notify(pdu.frame)
        keepValue(pdu, bytes.extracting((at + 4)..<(at + 4 + kept)), slot)
      } else {
        drop()
      }
      at += 4 + length
    }
  }

  // MARK: Requests and answers

  /// A request or command that names one handle.
  private mutating func accessed(_ pdu: inout AttributePDU, _ bytes: RawSpan) {
    let isRequest = pdu.opcode.role == .request
    guard bytes.byteCount >= 3 else {
      if isRequest { open(pdu, kept: hasRoomForOdd) }
      return keepOdd(pdu, bytes, from: 1)
    }
    pdu.handle = bytes.u16(at: 1)
    let server: Side = pdu.isReceived ? .local : .remote
    let signature = pdu.opcode == .signedWriteCommand ? Self.signatureLength : 0
    let value = bytes.extracting(3..<max(3, min(bytes.byteCount, Int(pdu.originalLength) - signature)))
    var retained = Retention.count
    if let slot = slot(pdu.handle, server, pdu.frame) {
      pdu.attribute = UInt16(slot)
      history.handles[slot].total &+= 1
      if pdu.opcode == .readRequest || pdu.opcode == .readBlobRequest {
        history.handles[slot].reads &+= 1
      } else {
        history.handles[slot].writes &+= 1
        if Self.mayBeRequest(Self.written(pdu, value)) {
          headersLeft = min(Self.headerLimit, Self.headerBudget - headersKept)
        }
      }
      retained = retention(of: value, slot: slot, isClipped: pdu.isClipped)
    }
    // A write to a control point, a subscription, or anything like them is never let go.
    if retained != .value && Self.isShortWrite(pdu, value) && history.handles.count < 4096 && headersLeft > 0 {
      retained = .value
      headersLeft -= 1
    }
    if isRequest { open(pdu, kept: retained != .count) }
    if pdu.opcode == .prepareWriteRequest && retained != .count {
      bearers[Int(pdu.bearer)].prepare(UInt32(history.pdus.count), received: pdu.isReceived)
    }
    switch retained {
    case .value: keep(pdu, value)
    case .header:
      pdu.flags |= AttributePDU.droppedFlag
      append(pdu)
    case .count: drop()
    }
  }

  /// The octets of the signature behind a signed value (Core Vol 3 Part F 3.3.1).
  private static let signatureLength = 12

  /// What a write means to write: a prepared one has the offset in front of it.
  @_lifetime(copy value)
  private static func written(_ pdu: AttributePDU, _ value: RawSpan) -> RawSpan {
    guard pdu.opcode == .prepareWriteRequest else { return value }
    return value.extracting(min(2, value.byteCount)..<value.byteCount)
  }

  private static func isShortWrite(_ pdu: AttributePDU, _ value: RawSpan) -> Bool {
    guard pdu.opcode != .readRequest && pdu.opcode != .readBlobRequest else { return false }
    let written = written(pdu, value)
    return mayBeRequest(written) || (written.byteCount == 2 && written.u16(at: 0) <= 3)
  }

  /// True for octets that could start a record access procedure in one of the two dialects.
  private static func mayBeRequest(_ value: RawSpan) -> Bool {
    guard value.byteCount >= 2, value.byteCount <= 20 else { return false }
    switch value.u8(at: 0) {
    // `01 00` and `02 00` are far more often a subscription than a request without operator.
    case 0x01, 0x02, 0x04: return value.u8(at: 1) >= 0x01 && value.u8(at: 1) <= 0x06
    case 0x03: return value.u8(at: 1) <= 0x06
    case 0x33, 0x3C, 0x55, 0x5A: return [0x0F, 0x33, 0x3C, 0x55, 0x5A, 0x66, 0x69].contains(value.u8(at: 1))
    default: return false
    }
  }

  private mutating func open(_ pdu: AttributePDU, kept: Bool) {
    closePassed(Int(pdu.bearer), received: pdu.isReceived)
    let pending = bearers[Int(pdu.bearer)].request(received: pdu.isReceived)
    let isDoubtful = bearers[Int(pdu.bearer)].takeDoubt(received: pdu.isReceived)
    let isLate = pending != AttributePDU.none && hasTimedOut(pending, pdu.time)
    if isLate {
      // Of requests that overlapped one has never been answered, and the link went on.
      if bearers[Int(pdu.bearer)].isOutOfTurn {
        history.counts.skippedAnswers &+= 1
        history.counts.gap(after: frame(ofRequest: pending))
      }
      bearers[Int(pdu.bearer)].timeOut(history.pdus[Int(pending)].opcodeValue, received: pdu.isReceived)
    }
    if pending != AttributePDU.none, isDoubtful || isLate {
      bearers[Int(pdu.bearer)].close(received: pdu.isReceived, second: false)
    }
    bearers[Int(pdu.bearer)].open(
      kept ? UInt32(history.pdus.count) : Bearer.uncounted,
      received: pdu.isReceived
    )
    if pending != AttributePDU.none { settleTurns(since: pending) }
  }

  /// Gives up requests that overlap others and have been passed over.
  private mutating func closePassed(_ bearer: Int, received: Bool) {
    while bearers[bearer].isOutOfTurn(received: received), isPassed(bearers[bearer].request(received: received)) {
      history.counts.passedRequests &+= 1
      history.counts.gap(after: frame(ofRequest: bearers[bearer].request(received: received)))
      bearers[bearer].close(received: received, second: false)
      settleTurns()
    }
  }

  /// Settles what no answer can settle any more, as the link is over.
  mutating func settleRequests() {
    guard history.counts.hasUnsettledTurns else { return }
    for bearer in bearers.indices {
      for isReceived in [false, true] { closePassed(bearer, received: isReceived) }
    }
  }

  /// True for a write to a handle that has indicated since, and the indication was confirmed: what it asked for is over.
  private func isPassed(_ request: UInt32) -> Bool {
    guard request < Bearer.uncounted, history.pdus[Int(request)].opcode == .writeRequest else { return false }
    let slot = history.pdus[Int(request)].attribute
    return slot != .max && history.handles[Int(slot)].lastConfirmed > request
  }

  /// Takes note of whether requests overlap whose answers are not all there, and since which one.
  private mutating func settleTurns(since request: UInt32 = AttributePDU.none) {
    let wereOverlapping = history.counts.hasUnsettledTurns
    history.counts.hasUnsettledTurns = bearers.contains { $0.isOutOfTurn }
    if !wereOverlapping && history.counts.hasUnsettledTurns {
      history.counts.unsettledSince = frame(ofRequest: request)
    }
  }

  /// The frame of a request that is open; 0 where it is not kept.
  private func frame(ofRequest request: UInt32) -> UInt32 {
    request < Bearer.uncounted ? history.pdus[Int(request)].frame : 0
  }

  /// The frame of the last PDU of a kind; 0 where there is none.
  private func lastFrame(where isMeant: (AttributePDU) -> Bool) -> UInt32 {
    history.pdus.last(where: isMeant)?.frame ?? 0
  }

  /// A request that names a range or no handle: discovery, MTU, Read Multiple, Execute Write.
  private mutating func asked(_ pdu: inout AttributePDU, _ bytes: RawSpan) {
    let isRanged = [0x04, 0x06, 0x08, 0x10].contains(pdu.opcodeValue)
    let hasRoom = history.pdus.count < 2_000_000
    open(pdu, kept: hasRoom)
    guard hasRoom else { return drop() }
    if isRanged && bytes.byteCount >= 3 {
      pdu.handle = bytes.u16(at: 1)
      keep(pdu, bytes.extracting(3..<bytes.byteCount))
    } else if pdu.opcode == .executeWriteRequest && execute(pdu, bytes) {
      return
    } else {
      keep(pdu, bytes.extracting(1..<bytes.byteCount))
    }
  }

  private mutating func answered(_ pdu: inout AttributePDU, _ bytes: RawSpan) {
    let bearer = Int(pdu.bearer)
    let askedByPeer = !pdu.isReceived
    let first = bearers[bearer].request(received: askedByPeer)
    let second = bearers[bearer].second(received: askedByPeer)
    // An Error Response that was cut behind its op code may answer whatever is open.
    let wanted: UInt8? =
      pdu.opcode == .errorResponse ? (bytes.byteCount > 1 ? bytes.u8(at: 1) : nil) : pdu.opcodeValue &- 1
    var request = AttributePDU.none
    var isSecond = false
    let refused: UInt16? = pdu.opcode == .errorResponse && bytes.byteCount >= 4 ? bytes.u16(at: 2) : nil
    let isFirst = fits(first, wanted, nil)
    // Of two open requests an Error Response names its own by the handle.
    if isFirst && fits(second, wanted, refused) && (!fits(first, wanted, refused) || isPassed(first)) {
      request = second
      isSecond = true
    } else if isFirst {
      request = first
    } else if fits(second, wanted, nil) {
      request = second
      isSecond = true
    }
    guard request != AttributePDU.none else {
      if !bearers[bearer].takeTimedOut(wanted, received: askedByPeer) { orphan(pdu.frame) }
      return keepOdd(pdu, bytes, from: 1)
    }
    bearers[bearer].close(received: askedByPeer, second: isSecond)
    if isSecond && !isFirst {
      // Answers come in the order of the requests (Core Vol 3 Part F 3.3.2): that of the older one is missing.
      history.counts.skippedAnswers &+= 1
      history.counts.gap(after: frame(ofRequest: first))
      bearers[bearer].close(received: askedByPeer, second: false)
    }
    if second != AttributePDU.none || history.counts.hasUnsettledTurns { settleTurns() }
    guard request != Bearer.uncounted else { return drop() }
    if (wanted ?? history.pdus[Int(request)].opcodeValue) == ATTOpcode.executeWriteRequest.rawValue {
      return executed(request, pdu, bytes.extracting(1..<bytes.byteCount), refused)
    }
    let question = history.pdus[Int(request)]
    if pdu.time &- question.time > VisibilityFacts.endlessWait { history.counts.hasEndlessWait = true }
    history.pdus[Int(request)].partner = UInt32(history.pdus.count)
    pdu.partner = request
    pdu.handle = question.handle
    pdu.attribute = question.attribute
    if question.isValueDropped {
      pdu.flags |= AttributePDU.droppedFlag
      append(pdu)
      return
    }
    let answer = bytes.extracting(1..<bytes.byteCount)
    keep(pdu, answer)
    if pdu.opcode == .errorResponse {
      if answer.byteCount >= 4, answer.u8(at: 3) == ATTError.databaseOutOfSync.rawValue {
        if pdu.isReceived { history.counts.peerToldOfChange = true } else { history.counts.hostToldOfChange = true }
      }
    } else if pdu.opcode != .writeResponse {
      history.counts.readAnswers &+= 1
    }
    if [0x04, 0x06, 0x08, 0x10].contains(question.opcodeValue) && !pdu.isClipped && !question.isClipped {
      discovered(question, answer, pdu.opcode)
    }
  }

  /// Notes a response without its request, which was sent behind the last response that has one.
  private mutating func orphan(_ frame: UInt32) {
    history.counts.orphan(frame)
    if history.counts.firstGap == nil {
      history.counts.gap(after: lastFrame { $0.opcode.role == .response && $0.partner != AttributePDU.none })
    }
  }

  /// A transaction that has timed out gets no answer any more (Core Vol 3 Part F 3.3.3).
  private func hasTimedOut(_ request: UInt32, _ time: Int64) -> Bool {
    request < Bearer.uncounted && time &- history.pdus[Int(request)].time > TransactionTimer.length
  }

  /// True where a request that is open has an op code and a handle, as far as they are told.
  private func fits(_ request: UInt32, _ opcode: UInt8?, _ handle: UInt16?) -> Bool {
    if request == AttributePDU.none { return false }
    if request == Bearer.uncounted { return handle == nil }
    let pdu = history.pdus[Int(request)]
    return (opcode == nil || pdu.opcodeValue == opcode) && (handle == nil || pdu.handle == handle)
  }

  private mutating func discovered(_ question: AttributePDU, _ answer: RawSpan, _ response: ATTOpcode) {
    let server: Side = question.isReceived ? .local : .remote
    history.counts.discoveries &+= 1
    var database = history.takeDatabase(server)
    DiscoveryReader.read(
      question.opcode,
      first: question.handle,
      request: history.value(question),
      answer: answer,
      answeredBy: response,
      into: &database
    )
    // A link with thousands of handles and discoveries is no real one; `conclude` names what is left out here.
    let isBounded = history.handles.count < 512 || history.counts.discoveries < 4096
    for slot in history.handles.indices where isBounded && history.handles[slot].server == server {
      guard let known = database[history.handles[slot].handle] else {
        // A changed database has taken the name away.
        if history.handles[slot].provenance > .unnamed {
          history.handles[slot].role = .unknown
          history.handles[slot].provenance = .unnamed
        }
        continue
      }
      history.handles[slot].role = known.kind.isService ? .other : AttributeRole(known.type)
      history.handles[slot].provenance = known.provenance
    }
    history.give(database, to: server)
  }

  // MARK: What is kept

  private enum Retention { case value, header, count }

  private mutating func retention(of value: RawSpan, slot: Int, isClipped: Bool) -> Retention {
    if history.handles[slot].role.isKept || keepsEveryValue { return .value }
    let fitsMeasurement = GlucoseMeasurement.looksLikeMeasurement(value)
    let fitsContext = !fitsMeasurement && GlucoseMeasurementContext.looksLikeContext(value)
    if fitsMeasurement { history.handles[slot].measurementShapes &+= 1 }
    if fitsContext { history.handles[slot].contextShapes &+= 1 }
    if history.handles[slot].kept < Self.unnamedLimit {
      history.handles[slot].kept += 1
      return .value
    }
    // A run of values in the shape of records is a history without a name, not a gadget's telemetry.
    let shapes = history.handles[slot].measurementShapes + history.handles[slot].contextShapes
    if (fitsMeasurement || fitsContext) && shapes > history.handles[slot].total / 2 { return .value }
    history.handles[slot].dropped &+= 1
    if headersLeft > 0 {
      headersLeft -= 1
      headersKept += 1
      return .header
    }
    return .count
  }

  @inline(__always)
  private mutating func slot(_ handle: UInt16, _ server: Side, _ frame: UInt32) -> Int? {
    let key = HandleIndex.key(handle, server)
    if key == lastHandleKey { return lastHandleSlot }
    return findSlot(handle, server, key, frame)
  }

  /// The slot of a handle that has been named before; nil for others.
  @inline(__always)
  mutating func knownSlot(_ key: UInt32) -> Int? {
    if key == lastHandleKey { return lastHandleSlot }
    guard let slot = index.slot(key) else { return nil }
    lastHandleKey = key
    lastHandleSlot = slot
    return slot
  }

  private mutating func findSlot(_ handle: UInt16, _ server: Side, _ key: UInt32, _ frame: UInt32) -> Int? {
    guard let slot = index.slot(key) ?? newSlot(handle, server, key, frame) else { return nil }
    history.handles[slot].lastFrame = frame
    lastHandleKey = key
    lastHandleSlot = slot
    return slot
  }

  private mutating func newSlot(_ handle: UInt16, _ server: Side, _ key: UInt32, _ frame: UInt32) -> Int? {
    guard history.handles.count < HandleIndex.limit else { return nil }
    var traffic = HandleTraffic(handle: handle, server: server, frame: frame)
    if let known = history.database(server)[handle] {
      traffic.role = known.kind.isService ? .other : AttributeRole(known.type)
      traffic.provenance = known.provenance
    }
    let slot = history.handles.count
    history.handles.append(traffic)
    index.insert(key, slot: slot)
    return slot
  }

  @inline(__always)
  mutating func keep(_ bare: AttributePDU, _ value: RawSpan) {
    var pdu = bare
    let start = history.arena.count
    guard start + value.byteCount < Int(UInt32.max) else {
      pdu.flags |= AttributePDU.droppedFlag
      return append(pdu)
    }
    pdu.valueStart = UInt32(truncatingIfNeeded: start)
    pdu.valueCount = UInt16(clamping: value.byteCount)
    history.arena.append(value)
    append(pdu)
  }

  /// True while PDUs of rare kinds, and such of which too little is left, are kept.
  private var hasRoomForOdd: Bool { keepsEveryValue || history.pdus.count < Self.oddLimit }

  private mutating func keepOdd(_ pdu: AttributePDU, _ bytes: RawSpan, from offset: Int) {
    guard hasRoomForOdd else { return drop() }
    keep(pdu, bytes.extracting(min(offset, bytes.byteCount)..<bytes.byteCount))
  }

  @inline(__always)
  mutating func append(_ pdu: AttributePDU) {
    history.pdus.append(pdu)
  }

  private mutating func drop() {
    history.counts.droppedPDUs &+= 1
  }
}
