import BluetoothWire
import HealthProfiles

extension ScriptedMeter {
  mutating func write(_ pdu: [UInt8], at time: UInt64) {
    let handle = Self.word(pdu, 1)
    let value = [UInt8](pdu.dropFirst(3))
    let table = self.table
    func refuse(_ error: UInt8) -> [UInt8] { AttributeEncoding.errorResponse(to: pdu[0], handle: handle, error: error) }
    guard let attribute = table.attributes.first(where: { $0.handle == handle }) else {
      return send(refuse(0x01), at: time)
    }
    if let error = securityError { return send(refuse(error), at: time) }
    if attribute.type == 0x2902 {
      if value.first == 0 { subscriptions.remove(handle) } else { subscriptions.insert(handle) }
      send(AttributeEncoding.writeResponse, at: time)
      if faults.indicatesServiceChanged, !announced, handle == table.places.configurations.last {
        announced = true
        send(AttributeEncoding.indication(table.places.serviceChanged, [1, 0, 0xFF, 0xFF]), at: time)
      }
      return
    }
    guard handle == table.places.recordAccess else { return send(refuse(0x03), at: time) }
    request(value, refuse: refuse, places: table.places, at: time)
  }

  private mutating func request(
    _ value: [UInt8],
    refuse: (UInt8) -> [UInt8],
    places: Places,
    at time: UInt64
  ) {
    let request = RecordAccessRequest(octets: value)
    if request.opCode != .abort {
      if faults.busy > 0 {
        faults.busy -= 1
        return send(refuse(0x80), at: time)
      }
      if time < busyUntil { return send(refuse(0x80), at: time) }
      if faults.forgetsSubscriptions > 0 {
        faults.forgetsSubscriptions -= 1
        subscriptions.removeAll()
      }
      if faults.forgetsSubscriptionsAtDelete && request.opCode == .delete {
        faults.forgetsSubscriptionsAtDelete = false
        subscriptions.removeAll()
      }
      guard places.configurations.allSatisfy(subscriptions.contains) else { return send(refuse(0x81), at: time) }
    }
    log(value)
    begun += 1
    let isOver = faults.proceduresALink.map { begun > $0 } ?? false
    let refusal = isOver ? faults.afterwards : faults.refusals.first { value.starts(with: $0.key) }?.value
    switch refusal {
    case .hangUp?, .hangUpBefore?: return send([], at: time)
    case .unansweredWrite?: return
    case .silence?: return send(AttributeEncoding.writeResponse, at: time)
    case nil: break
    }
    defer {
      if faults.proceduresALink == begun, case .hangUpBefore = faults.afterwards, let last = queue.last {
        send([], at: last.time)
      }
    }
    if !faults.noWriteResponse { send(AttributeEncoding.writeResponse, at: time) }
    let start = time + 20_000_000
    switch request.opCode {
    case .abort:
      queue.removeAll { $0.pdu.first == 0x1B || $0.pdu.first == 0x1D }
      busyUntil = 0
      respond(places, [6, 0, 3, 1], at: start)
    case .report, .count, .delete: perform(request, places, at: start)
    default: respond(places, [6, 0, value.first ?? 0, 2], at: start)
    }
  }

  private mutating func respond(_ places: Places, _ value: [UInt8], at time: UInt64) {
    if faults.noResponse && value.first == 6 && value[2] != 3 { return }
    var value = value
    if faults.wrongOpCode && value.first == 6 { value[2] = value[2] == 1 ? 4 : 1 }
    send(AttributeEncoding.indication(places.recordAccess, value), at: time)
  }

  /// The records a well-formed request is about, or the response code that refuses it.
  private func select(_ request: RecordAccessRequest) -> (records: [MeterRecord], refusal: UInt8?) {
    guard request.isWellFormed, let selection = request.selection else { return ([], 5) }
    if request.opCode == .report, let code = faults.refusesReport { return ([], code) }
    if request.opCode == .count, let code = faults.refusesCount { return ([], code) }
    if request.opCode == .delete, let code = faults.refusesDelete { return ([], code) }
    if faults.hidesAllButTheLast, selection != .last { return ([], nil) }
    switch selection {
    case .all: return (records, nil)
    case .first: return (Array(records.prefix(1)), nil)
    case .last:
      if let code = faults.refusesLast { return ([], code) }
      return (Array(records.suffix(1)), nil)
    case .atLeast(let minimum):
      if request.opCode == .report, let code = faults.refusesAtLeast { return ([], code) }
      if faults.ignoresFilter { return (records, nil) }
      return (records.filter { UInt32($0.number) >= minimum }, nil)
    case .atMost(let maximum): return (records.filter { UInt32($0.number) <= maximum }, nil)
    case .within(let minimum, let maximum):
      if let code = faults.refusesRange { return ([], code) }
      return (records.filter { UInt32($0.number) >= minimum && UInt32($0.number) <= maximum }, nil)
    case .until, .since, .between: return ([], 9)
    }
  }

  private mutating func perform(_ request: RecordAccessRequest, _ places: Places, at start: UInt64) {
    let opCode = request.octets[0]
    if faults.serverBusy > 0 {
      faults.serverBusy -= 1
      return respond(places, [6, 0, opCode, 0x0A], at: start)
    }
    let (chosen, refusal) = select(request)
    if let refusal { return respond(places, [6, 0, opCode, refusal], at: start) }
    switch request.opCode {
    case .count:
      let count = UInt16(clamping: chosen.count + faults.countError)
      respond(places, [5, 0, UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)], at: start)
    case .delete:
      records.removeAll { record in chosen.contains(record) }
      let answer: [UInt8] = faults.malformedDeleteResponse ? [2, 1] : [6, 0, 2, chosen.isEmpty ? 6 : 1]
      respond(places, answer, at: start)
    default: report(chosen, isRange: request.operator == .withinRange, places, at: start)
    }
  }

  private mutating func report(_ chosen: [MeterRecord], isRange: Bool, _ places: Places, at start: UInt64) {
    guard !chosen.isEmpty else { return respond(places, [6, 0, 1, faults.successForNone ? 1 : 6], at: start) }
    var time = start
    let end = [UInt8]([6, 0, 1, faults.deniesRecords ? 6 : 1])
    let early = min(faults.recordsAfterResponse, chosen.count)
    var inForce: Int16?
    let ordered = faults.newestFirst ? chosen.reversed() : chosen
    for (index, record) in ordered.enumerated() {
      if early > 0, index == ordered.count - early { respond(places, end, at: time) }
      if let stall = faults.stall, stall.index == index { time += stall.pause }
      if !isRange && faults.skipped.contains(record.number) { continue }
      let whole = record.measurement(withOffset: inForce != record.offset)
      let isCut = faults.shortened.contains(record.number) || (!isRange && faults.cut.contains(record.number))
      let measurement = isCut ? Array(whole.prefix(10)) : whole
      inForce = record.offset
      let repeats = faults.duplicates && index % 5 == 4 ? 2 : 1
      for _ in 0..<repeats {
        var values: [[UInt8]] = []
        if isRange || !faults.orphans.contains(record.number) {
          values.append(AttributeEncoding.notification(places.measurement, measurement))
        }
        let isLost = faults.noContexts || !isRange && faults.lostContexts.contains(record.number)
        if let context = record.context, !isLost {
          values.append(AttributeEncoding.notification(places.context, context))
        }
        if faults.contextFirst { values.reverse() }
        for value in values {
          send(value, at: time)
          time += faults.interval
        }
      }
    }
    time += faults.lateResponse
    busyUntil = time
    if early == 0 { respond(places, end, at: time) }
  }
}
