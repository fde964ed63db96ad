import BluetoothWire
import HealthProfiles

/// Finds the record access procedures in a link's PDUs (GLP 4.7; field rules 0.2).
///
/// Order is judged in the sensor's own direction: Write Response, Error Response, notification and indication. What
/// crosses in the air may stand in another order in the file of the other end, and must not change the outcome.
struct ProcedureReader {
  var procedures: [Procedure] = []
  /// Accepted procedures without a result, in the order of their acceptance.
  var running: [Int] = []
  /// Requests that wait for their Write Response.
  var waiting: [Int] = []
  /// The procedure that ended last: late records belong to it.
  var last: Int?
  /// Results that answer no request of this capture, and records of no procedure.
  var unasked: [UInt32] = []
  /// True where a result may be that of the request that waits, or one too many of an earlier one.
  var hasUndecidedResult = false
  private var stray = StrayRecords()
  private var histogram = GapHistogram()
  private var histogramOwner: Int?
  /// The one procedure of the health dialect that runs and reports; -1 where there is none or several run.
  ///
  /// While it does, it lies in `active` and its place in `procedures` is void, so that a record costs no array access.
  private var reporting = -1
  private var active = Procedure.void
  /// For each procedure the service of its control point, and each service once.
  private var homes: [ControlPointHome] = []
  private var distinctHomes: [ControlPointHome] = []
  /// What answers the requests that were asked for it: each looks through the link once.
  var answers: [UInt32: RequestAnswers] = [:]
  /// Whether what came before the Write Response of a request is the rest of a report before it, by the request.
  private var remainders: [UInt32: Bool] = [:]
  /// When the last record or context came behind the end of its procedure. Microseconds since 1970 UTC.
  private var lastTrailing = Int64.min
  /// Writes that turned the indications of a control point off, as indices into the PDUs.
  private var muted: [(controlPoint: UInt16, server: Side, place: UInt32)] = []
  /// Where each control point answers an Abort for the last time; nil until that is asked.
  var abortAnswers: AbortAnswers?

  /// Unasked results kept of one link.
  static let unaskedLimit = 64
  /// Requests that may be open at a time: what a hostile file has beyond is given up, the oldest first.
  static let openLimit = 64

  /// The procedures of a link in `storage`, and the results that answer none of them.
  static func read(
    _ history: borrowing LinkHistory,
    into storage: inout [Procedure],
    unasked: inout [UInt32],
    stray: inout StrayRecords,
    hasUndecidedResult: inout Bool
  ) {
    hasUndecidedResult = false
    storage.removeAll(keepingCapacity: true)
    unasked.removeAll(keepingCapacity: true)
    stray = StrayRecords()
    guard history.handles.contains(where: { $0.role.isControlPoint || $0.role.isRecord }) else { return }
    var reader = ProcedureReader()
    swap(&reader.procedures, &storage)
    reader.findMuted(history.subscriptions)
    let pdus = history.pdus.span
    let handles = history.handles.span
    let arena = history.arena.bytes
    for index in 0..<pdus.count { reader.take(index, pdus, handles, arena, history) }
    reader.park()
    reader.conclude(history)
    swap(&reader.procedures, &storage)
    unasked = reader.unasked
    stray = reader.stray
    hasUndecidedResult = reader.hasUndecidedResult
  }

  /// Takes one PDU; of a record of the procedure that reports no more is read than it needs.
  @inline(__always)
  private mutating func take(
    _ index: Int,
    _ pdus: Span<AttributePDU>,
    _ handles: Span<HandleTraffic>,
    _ arena: RawSpan,
    _ history: borrowing LinkHistory
  ) {
    let attribute = pdus[index].attribute
    guard attribute != .max else { return }
    switch handles[Int(attribute)].role {
    case .glucoseMeasurement:
      guard pdus[index].isDelivery else { return }
      if isReporting(pdus[index].flags) {
        arrive(at: index, pdus[index].time, pdus[index].frame, isRecord: true)
        let count = Int(pdus[index].valueCount)
        if count >= 3 { active.measured(arena.part(Int(pdus[index].valueStart), count)) }
      } else {
        park()
        record(index, pdus[index], .health, isMeasurement: true, history)
        chooseReporting()
      }
    case .glucoseContext:
      guard pdus[index].isDelivery else { return }
      if isReporting(pdus[index].flags) {
        arrive(at: index, pdus[index].time, pdus[index].frame, isRecord: false)
      } else {
        park()
        context(index, pdus[index], history)
        chooseReporting()
      }
    case .insulinHistory, .otherRecords:
      guard pdus[index].isDelivery else { return }
      let isInsulin = handles[Int(attribute)].role == .insulinHistory
      park()
      record(index, pdus[index], isInsulin ? .insulinDelivery : .health, isMeasurement: false, history)
      chooseReporting()
    case .recordAccess, .insulinRecordAccess:
      park()
      controlPoint(index, history)
      chooseReporting()
    case .other:
      if pdus[index].opcodeValue == 0x1D && !running.isEmpty { otherRecord(index, pdus[index]) }
    default: return
    }
  }

  /// True where a delivery comes from the sensor whose procedure reports.
  @inline(__always)
  private func isReporting(_ flags: UInt8) -> Bool {
    reporting >= 0 && (flags & AttributePDU.receivedFlag != 0) == (active.server == .remote)
  }

  /// Counts a delivery to the procedure that reports.
  @inline(__always)
  private mutating func arrive(at index: Int, _ time: Int64, _ frame: UInt32, isRecord: Bool) {
    if let gap = active.arrive(at: index, time: time, frame: frame, isRecord: isRecord) { measure(gap, reporting) }
  }

  /// Nearly every record belongs to a procedure that runs alone; the choice is made where the control point speaks.
  private mutating func chooseReporting() {
    guard running.count == 1, waiting.isEmpty, procedures[running[0]].dialect == .health, mayDeliver(running[0]),
      homes[running[0]].holdsGlucose
    else { return }
    reporting = running[0]
    swap(&active, &procedures[reporting])
  }

  /// Puts the reporting procedure back to its place.
  private mutating func park() {
    guard reporting >= 0 else { return }
    swap(&active, &procedures[reporting])
    reporting = -1
  }

  // MARK: The control point

  private mutating func controlPoint(_ index: Int, _ history: borrowing LinkHistory) {
    let pdu = history.pdus[index]
    switch pdu.opcode {
    case .writeRequest, .executeWriteRequest, .writeCommand, .signedWriteCommand: request(index, pdu, history)
    case .writeResponse, .executeWriteResponse:
      if pdu.partner != AttributePDU.none { accepted(pdu.partner, by: index, pdu.time) }
    case .errorResponse:
      guard pdu.partner != AttributePDU.none else { return }
      if history.pdus[Int(pdu.partner)].opcode == .prepareWriteRequest {
        refusedPart(pdu.partner, pdu, index, history)
      } else {
        refused(pdu, index, history)
      }
    case .indication, .notification, .multipleNotification: result(index, pdu, history)
    case .confirmation:
      for position in procedures.indices.suffix(Self.openLimit).reversed()
      where procedures[position].result == pdu.partner {
        procedures[position].confirmation = UInt32(index)
        break
      }
    default: return
    }
  }

  private mutating func request(_ index: Int, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    let traffic = history.handles[Int(pdu.attribute)]
    let home = home(of: pdu.handle, traffic.server, history)
    homes.append(home)
    let procedure = Procedure(
      controlPoint: pdu.handle,
      server: traffic.server,
      dialect: traffic.role == .insulinRecordAccess ? .insulinDelivery : .health,
      source: home.source,
      members: home.members,
      provenance: traffic.provenance,
      request: UInt32(index),
      opCode: opCode(pdu, traffic, history),
      startTime: pdu.time,
      endTime: pdu.time,
      lastActivity: pdu.time
    )
    expire(pdu.handle, traffic.server, pdu.time)
    settleAbort(pdu.handle, traffic.server, history)
    procedures.append(procedure)
    if pdu.opcode.isWriteCommand {
      start(procedures.count - 1, pdu.time)
    } else {
      if waiting.count >= Self.openLimit { procedures[waiting.removeFirst()].outcome = .unanswered }
      waiting.append(procedures.count - 1)
    }
  }

  private mutating func home(
    of controlPoint: UInt16,
    _ server: Side,
    _ history: borrowing LinkHistory
  ) -> ControlPointHome {
    let known = distinctHomes.first { $0.controlPoint == controlPoint && $0.server == server }
    if let known { return known }
    let found = ControlPointHome(controlPoint, server, history)
    if distinctHomes.count < Self.openLimit { distinctHomes.append(found) }
    return found
  }

  private func opCode(
    _ pdu: AttributePDU,
    _ traffic: HandleTraffic,
    _ history: borrowing LinkHistory
  ) -> RecordAccessOpCode {
    let written = history.written(pdu)
    guard written.byteCount >= 1 else { return .unknown(0) }
    return RecordAccessOpCode(
      written.u8(at: 0),
      dialect: traffic.role == .insulinRecordAccess ? .insulinDelivery : .health
    )
  }

  /// Both sides may hold a control point, and at the same handle.
  func isAt(_ position: Int, _ controlPoint: UInt16, _ server: Side) -> Bool {
    procedures[position].controlPoint == controlPoint && procedures[position].server == server
  }

  /// A procedure whose timer has run out no longer runs, whatever comes later.
  private mutating func expire(_ controlPoint: UInt16, _ server: Side, _ time: Int64) {
    let expired = running.filter {
      isAt($0, controlPoint, server) && time &- procedures[$0].lastActivity > ProcedureTimer.length
    }
    for position in expired {
      procedures[position].outcome = .unanswered
      settle(position)
    }
    if !expired.isEmpty { running.removeAll { expired.contains($0) } }
  }

  private mutating func accepted(_ request: UInt32, by index: Int, _ time: Int64) {
    guard let place = waiting.firstIndex(where: { procedures[$0].request == request }) else {
      // Records or the result may have come first.
      if let position = procedures.indices.suffix(Self.openLimit).last(where: { procedures[$0].request == request }),
        procedures[position].answer == nil
      {
        procedures[position].answer = UInt32(index)
        procedures[position].endTime = max(procedures[position].endTime, time)
      }
      return
    }
    let position = waiting.remove(at: place)
    procedures[position].answer = UInt32(index)
    start(position, time)
  }

  /// Starts a request that waits for its Write Response and whose records or result have come: returns its position.
  @discardableResult
  mutating func startEarly(waiting place: Int, _ time: Int64) -> Int {
    let early = waiting.remove(at: place)
    procedures[early].startedBeforeAnswer = true
    start(early, time)
    return early
  }

  private mutating func findMuted(_ subscriptions: [Subscription]) {
    var spoken: [(controlPoint: UInt16, server: Side)] = []
    for written in subscriptions where written.role.isControlPoint && written.error == 0 && !written.isDoubtful {
      guard let controlPoint = written.characteristic else { continue }
      if written.value & 2 != 0 {
        if spoken.contains(where: { $0.controlPoint == controlPoint && $0.server == written.server }) { continue }
        // Until they are turned on for the first time no result can come either.
        if spoken.count < Self.openLimit { spoken.append((controlPoint, written.server)) }
      }
      muted.append((controlPoint, written.server, written.request))
    }
  }

  /// Gives up what ran while the indications of its control point were off and no result could come: what
  /// comes after a younger request was accepted is the younger one's.
  private mutating func supersedeMuted(by position: Int) {
    guard !muted.isEmpty else { return }
    let younger = procedures[position]
    let gone = running.filter { older in
      isAt(older, younger.controlPoint, younger.server)
        && muted.contains {
          $0.controlPoint == younger.controlPoint && $0.server == younger.server
            && $0.place > procedures[older].request && $0.place < younger.request
        }
    }
    for older in gone {
      procedures[older].outcome = .superseded
      settle(older)
    }
    if !gone.isEmpty { running.removeAll { gone.contains($0) } }
  }

  mutating func start(_ position: Int, _ time: Int64) {
    procedures[position].lastActivity = time
    procedures[position].endTime = time
    markOverlap(position)
    supersedeMuted(by: position)
    if running.count >= Self.openLimit {
      let oldest = running.removeFirst()
      procedures[oldest].outcome = .superseded
      settle(oldest)
    }
    running.append(position)
  }

  /// Judged when the sensor answers: a request that crosses the result in the air is no overlap.
  private mutating func markOverlap(_ position: Int) {
    let controlPoint = procedures[position].controlPoint
    let server = procedures[position].server
    procedures[position].overlaps = running.first { isAt($0, controlPoint, server) }.map(UInt32.init)
  }

  private mutating func refused(_ pdu: AttributePDU, _ index: Int, _ history: borrowing LinkHistory) {
    guard let place = waiting.firstIndex(where: { procedures[$0].request == pdu.partner }) else { return }
    let position = waiting.remove(at: place)
    procedures[position].answer = UInt32(index)
    procedures[position].endTime = pdu.time
    markOverlap(position)
    let code = pdu.valueCount >= 4 ? history.value(pdu).u8(at: 3) : 0
    procedures[position].outcome = .refused(ATTError(rawValue: code))
  }

  /// Takes the refusal of a prepared part: that of the part which begins a request is one of the request, as nothing of it
  /// can be executed any more (Core Vol 3 Part F 3.4.6.1).
  private mutating func refusedPart(
    _ part: UInt32,
    _ pdu: AttributePDU,
    _ index: Int,
    _ history: borrowing LinkHistory
  ) {
    let first = history.pdus[Int(part)]
    let isInsulin = history.role(first) == .insulinRecordAccess
    // A part that is no whole request does not show what was asked for.
    guard first.valueCount >= 2, history.value(first).u16(at: 0) == 0, pdu.valueCount >= 4,
      !ATTError(rawValue: history.value(pdu).u8(at: 3)).isAboutPreparing,
      RecordAccessRequest.looksLikeRequest(history.written(first), dialect: isInsulin ? .insulinDelivery : .health)
    else { return }
    request(Int(part), first, history)
    refused(pdu, index, history)
  }

  static func outcome(_ code: RecordAccessResponseValue) -> Procedure.Outcome {
    switch code {
    case .success: .success
    case .noRecordsFound: .noRecords
    default: .failed(code)
    }
  }

  mutating func end(_ position: Int, _ outcome: Procedure.Outcome, _ index: Int, _ time: Int64) {
    procedures[position].outcome = outcome
    procedures[position].result = UInt32(index)
    procedures[position].endTime = time
    if procedures[position].records + procedures[position].contexts > 0 {
      procedures[position].gaps.beforeResult = time &- procedures[position].lastActivity
    }
    procedures[position].lastActivity = time
    settle(position)
    running.removeAll { $0 == position }
    // A count or a delete leaves no records behind: what comes after it belongs to the report before.
    let isSilent = !mayDeliver(position) && procedures[position].opCode != .abort
    if !isSilent || last == nil { last = position }
  }

  mutating func settle(_ position: Int) {
    guard histogramOwner == position else { return }
    procedures[position].gaps.median = histogram.median
    histogram.reset()
    histogramOwner = nil
  }

  // MARK: Records

  /// False for what brings no records: a count, a delete and an abort (GLS 3.4.3).
  private func mayDeliver(_ position: Int) -> Bool { procedures[position].opCode.mayDeliver }

  private mutating func target(
    _ pdu: AttributePDU,
    _ dialect: RecordAccessDialect,
    _ history: borrowing LinkHistory
  ) -> Int? {
    if let position = running.first(where: {
      procedures[$0].dialect == dialect && procedures[$0].server == pdu.server && mayDeliver($0)
        && homes[$0].mayHold(pdu.handle)
    }) {
      return position
    }
    guard running.isEmpty,
      let place = waiting.firstIndex(where: {
        procedures[$0].dialect == dialect && procedures[$0].server == pdu.server && mayDeliver($0)
          && homes[$0].mayHold(pdu.handle)
      })
    else { return nil }
    if isRemainder(pdu, before: waiting[place], history) { return nil }
    return startEarly(waiting: place, pdu.time)
  }

  /// What was in the queue may come so long after a report has ended. Microseconds.
  private static let queue: Int64 = 2_000_000

  /// True for what comes while a request waits for its Write Response, and is the rest of a report before it.
  ///
  /// In the sensor's own direction it stands before that response, whichever end the capture is from (field rules 0.2).
  private mutating func isRemainder(
    _ pdu: AttributePDU,
    before position: Int,
    _ history: borrowing LinkHistory
  ) -> Bool {
    let request = procedures[position].request
    if let known = remainders[request] { return known }
    guard procedures[position].dialect == .health else { return false }
    let early = EarlyDeliveries(procedures[position], history)
    var isRest = early.isRefused
    if let last, !isRest, procedures[last].dialect == .health, procedures[last].server == pdu.server,
      homes[last].mayHold(pdu.handle)
    {
      // Success without a record promises one.
      let isOwed = procedures[last].outcome == .success && procedures[last].records == 0
      let pause = pdu.time &- max(procedures[last].endTime, lastTrailing)
      isRest = pause <= (isOwed ? ProcedureTimer.length : Self.queue) && early.areOfEarlier
    }
    remainders[request] = isRest
    return isRest
  }

  private mutating func record(
    _ index: Int,
    _ pdu: AttributePDU,
    _ dialect: RecordAccessDialect,
    isMeasurement: Bool,
    _ history: borrowing LinkHistory
  ) {
    guard let position = target(pdu, dialect, history) else {
      if let last, procedures[last].dialect == dialect && procedures[last].server == pdu.server,
        homes[last].mayHold(pdu.handle)
      {
        lastTrailing = pdu.time
        procedures[last].trailingRecords += 1
        if isMeasurement && pdu.valueCount >= 3 {
          procedures[last].measuredLate(history.value(pdu))
        }
      } else if isMeasurement || homes.last?.mayHold(pdu.handle) ?? true {
        // What a service without a request of its own sends is live, and no stored record.
        stray.take(pdu, history.value(pdu), isMeasurement: isMeasurement)
      }
      return
    }
    if let gap = procedures[position].arrive(at: index, time: pdu.time, frame: pdu.frame, isRecord: true) {
      measure(gap, position)
    }
    if isMeasurement && pdu.valueCount >= 3 { procedures[position].measured(history.value(pdu)) }
  }

  /// What a service without record characteristics of its own indicates while its control point reports, such as
  /// weights.
  private mutating func otherRecord(_ index: Int, _ pdu: AttributePDU) {
    let position = running.first {
      guard case .other = homes[$0].source else { return false }
      return homes[$0].server == pdu.server && homes[$0].mayHold(pdu.handle) && mayDeliver($0)
    }
    guard let position else { return }
    park()
    if let gap = procedures[position].arrive(at: index, time: pdu.time, frame: pdu.frame, isRecord: true) {
      measure(gap, position)
    }
    chooseReporting()
  }

  private mutating func context(_ index: Int, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    guard let position = target(pdu, .health, history) else {
      if let last, procedures[last].server == pdu.server, homes[last].mayHold(pdu.handle) {
        lastTrailing = pdu.time
        procedures[last].trailingContexts += 1
      }
      return
    }
    if let gap = procedures[position].arrive(at: index, time: pdu.time, frame: pdu.frame, isRecord: false) {
      measure(gap, position)
    }
  }

  /// Counts a pause for the median; of overlapping procedures only the first has one.
  @inline(__always)
  private mutating func measure(_ gap: Int64, _ position: Int) {
    if histogramOwner == nil { histogramOwner = position }
    if histogramOwner == position { histogram.add(gap) }
  }
}
