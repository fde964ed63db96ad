import BluetoothWire
import HealthProfiles

extension RecordCollector {
  /// No run asks for the records more often, whatever the meter says of them; each reason to do so has a limit of its own.
  private static let transferLimit = 10

  /// Decides which records are asked for.
  mutating func planTransfer() {
    if asksOnce {
      transfer = TransferState(selection: .all)
      return
    }
    switch plan.selection {
    case .all: transfer = TransferState(selection: .all)
    case .range(let range):
      let isRefused = memory.unsupported.contains(.reportRange)
      transfer = TransferState(
        selection: isRefused ? .all : .within(UInt32(range.lowerBound), UInt32(range.upperBound))
      )
    case .increment:
      guard let mark = memory.mark, !memory.unsupported.contains(.reportAtLeast) else {
        transfer = TransferState(selection: .all)
        return
      }
      guard mark < 0xFFFF else {
        // There is no number above the mark, and one more in 16 bits would be 0: everything (GLS 3.1.1.2).
        notice(.numbersExhausted)
        transfer = TransferState(selection: .all)
        return
      }
      // GLP 4.7.3: the last sequence number and one.
      transfer = TransferState(selection: .atLeast(UInt32(mark) + 1))
    }
  }

  /// The numbers are used up and an increment is wanted: only the count tells whether to ask for everything.
  private var isExhausted: Bool { plan.selection == .increment && memory.mark == 0xFFFF && !opensEpoch }

  /// Begins what comes next between the first request and the commit; nothing may be running.
  mutating func proceed() {
    guard case .procedures = phase, exchange == nil, procedure == nil, case .nothing = waiting else { return }
    if isAborting { return finish(.aborted) }
    guard transfer.isAnswered else {
      guard mayRequest else {
        followUpFailed()
        return finish(interruption?.outcome ?? .timedOut(.attributeResponse))
      }
      let wantsCount = (plan.countFirst || isExhausted) && !transfer.countIsAsked && !transfer.isAskedAgain
      if wantsCount && !asksOnce && !memory.unsupported.contains(.count) {
        return start(.countFirst, RecordAccessRequest(.count, transfer.selection))
      }
      let isHeldCount = transfer.count.map { $0 == 0 || $0 == memory.heldRecords } ?? false
      if isExhausted && !transfer.isAskedAgain && isHeldCount {
        // What the meter has is as much as is held: its last record shows whether it is the same.
        transfer.isAnswered = true
        transfer.answeredAt = now
        transfer.hasStarted = true
        return proceed()
      }
      return start(.transfer, RecordAccessRequest(.report, transfer.selection))
    }
    if beginCheck() { return }
    if let interruption, !commits(after: interruption) {
      followUpFailed()
      return finish(interruption.outcome)
    }
    // Where the response looked like the end, but something came after it, the air must be quiet for a while.
    let quiet: UInt64
    if transfer.trailing > 0 {
      quiet = transfer.lastTrailing + CollectorTiming.trailingRecords
    } else {
      quiet = transfer.wasFollowed || buffer.entries.isEmpty ? 0 : transfer.answeredAt + CollectorTiming.lastRecords
    }
    let mayComeLate = interruption == nil || interruption?.kind == .unansweredWrite
    if linkIsUp && mayComeLate && now < quiet {
      waiting = .quiet(until: quiet)
      return
    }
    commit()
  }

  /// Writes a request (GLS 3.4.3): one procedure at a time.
  mutating func start(_ purpose: RunningProcedure.Purpose, _ request: RecordAccessRequest) {
    if purpose == .transfer {
      transfers += 1
      guard transfers <= Self.transferLimit else {
        return finish(.linkLost(reason: "the meter contradicts itself, however often it is asked"))
      }
      buffer.removeAll()
      cachedAssembly = nil
      transferOffset = nil
      checkStart = nil
      transfer.hasStarted = true
      transfer.request = request.octets
      run.request = request.octets
    } else {
      checkOffset = nil
      if transfer.isAnswered { transfer.wasFollowed = true }
      if let asked = purpose.asked(mark: memory.mark ?? 0) {
        transfer.askedBeside.append(asked)
        if transfer.ownValues == nil { transfer.ownValues = buffer.entries.count }
      }
    }
    procedure = RunningProcedure(
      purpose: purpose,
      request: request,
      deadline: now,
      startedAt: now,
      bufferStart: buffer.entries.count
    )
    busyAttempts = 0
    sendProcedure()
  }

  /// Writes the request of the current procedure, once more where the meter was busy.
  mutating func sendProcedure() {
    guard let procedure, let attributes else { return }
    measurementHandle = attributes.measurement.value
    contextHandle = attributes.context?.value ?? 0
    let handle = attributes.recordAccess.value
    switch procedure.purpose {
    case .countFirst: progress(.counting)
    case .transfer: progress(.transferring)
    case .delete: progress(.deleting)
    case .countAfter, .gap, .mark, .last, .fromMark, .again: progress(.checking)
    }
    send(AttributeEncoding.writeRequest(handle, procedure.request.octets), .recordAccess, handle: handle)
  }

  /// The Write Response: the procedure has started, and its 30 s (GLP 4.7.5).
  mutating func requestAccepted() {
    guard let running = procedure else { return }
    procedure?.isAccepted = true
    procedure?.deadline = now + CollectorTiming.recordAccess
    if isAborting { return sendAbort() }
    if let content = running.earlyResponse {
      procedure = nil
      conclude(running, content)
    }
  }

  mutating func sendAbort() {
    guard let handle = attributes?.recordAccess.value else { return finish(.aborted) }
    progress(.aborting)
    send(AttributeEncoding.writeRequest(handle, RecordAccessRequest.abort().octets), .abort, handle: handle)
  }

  /// The Write Request was refused with an ATT error: the procedure has not started.
  mutating func requestRefused(_ done: AttributeExchange, _ error: ATTError) {
    guard let refused = procedure else { return }
    procedure?.isAccepted = false
    switch error.rawValue {
    case 0x80, 0xFE:
      // Procedure Already In Progress, of this or another collector (GLP 4.7): its end is waited for.
      waitWhileBusy()
    case 0x81, 0xFD:
      guard !subscriptionsRewritten else { break }
      subscriptionsRewritten = true
      notice(.subscriptionsRewritten)
      phase = .preparing
      agenda = subscriptions
      return nextStep()
    case _ where usesCache && !transfer.isAnswered && !isDeleting:
      discoverAgain(.staleAttributes)
      return nextStep()
    default: break
    }
    if case .busy = waiting { return }
    let wasDeleting = isDeleting
    procedure = nil
    if wasDeleting { return deletionEnded(refused, .procedureNotCompleted) }
    switch refused.purpose {
    case .transfer:
      let isBusy = error.rawValue == 0x80 || error.rawValue == 0xFE
      finish(isBusy ? .busy : .attributeError(error, request: done.pdu.first ?? 0, handle: done.handle))
    default: conclude(refused, .outcome(request: refused.request.opCode, value: .procedureNotCompleted))
    }
  }

  /// Asks again later, for a bounded number of times; leaves `waiting` as it is when that is used up.
  mutating func waitWhileBusy() {
    busyAttempts += 1
    guard busyAttempts < CollectorTiming.busyAttempts else { return }
    notice(.busy(attempt: busyAttempts))
    procedure?.isAccepted = false
    waiting = .busy(until: now + CollectorTiming.busyPause)
  }

  /// An indication of the control point.
  mutating func responded(_ response: RecordAccessResponse) {
    guard let running = procedure, let content = response.content else {
      notice(.unexpectedResponse(response.octets))
      procedure?.strayResponse = response.octets
      return
    }
    if isAborting {
      if case .outcome(request: .abort, _) = content { finish(.aborted) }
      return
    }
    if case .busy = waiting { return notice(.unexpectedResponse(response.octets)) }
    let answers: Bool
    switch content {
    case .count: answers = running.request.opCode == .count
    // Only the request's own op code ends it (GLS 3.4.4).
    case .outcome(let request, _): answers = request == running.request.opCode
    }
    guard answers else {
      procedure?.strayResponse = response.octets
      return notice(.unexpectedResponse(response.octets))
    }
    guard exchange == nil else {
      // The Write Response is still to come; no other request may be sent before it.
      if running.earlyResponse == nil {
        procedure?.earlyResponse = content
        exchange?.deadline = now + CollectorTiming.courtesy
      }
      return
    }
    procedure = nil
    conclude(running, content)
  }

  /// A procedure has its response: at once where it can be the end, after a quiet while where it cannot.
  mutating func conclude(_ done: RunningProcedure, _ content: RecordAccessResponse.Content) {
    if isAborting { return finish(.aborted) }
    procedureIsAnswered = true
    if done.purpose == .transfer { run.transferDuration = now &- done.startedAt }
    if done.request.opCode == .report, linkIsUp, content == .outcome(request: .report, value: .success) {
      // Success without a record, or before the context the last record announced: what is missing may be on its way,
      // though all of it must come before the response (GLS 3.4.3.4).
      let pause = done.records == 0 ? CollectorTiming.trailingRecords : CollectorTiming.lastRecords
      if done.records == 0 || lastContextIsOpen(since: done.bufferStart) {
        answered = (done, content)
        waiting = .quiet(until: now + pause)
        return
      }
    }
    evaluate(done, content)
  }

  private func lastContextIsOpen(since start: Int) -> Bool {
    guard let last = buffer.entries.last, buffer.entries.count > start, !last.isContext else { return false }
    return buffer.record(last).promisesContext && attributes?.context != nil
  }

  mutating func quietIsOver() {
    waiting = .nothing
    if let (done, content) = answered {
      answered = nil
      evaluate(done, content)
    } else {
      proceed()
    }
  }

  /// What the end of a procedure means for the run.
  mutating func evaluate(_ done: RunningProcedure, _ content: RecordAccessResponse.Content) {
    if case .outcome(_, .serverBusy) = content, mayRequest {
      procedure = done
      procedure?.earlyResponse = nil
      waitWhileBusy()
      if case .busy = waiting { return }
      procedure = nil
    }
    switch done.purpose {
    case .countFirst, .countAfter: counted(content)
    case .transfer: transferred(content)
    case .gap, .mark, .last, .fromMark, .again: checked(done, content)
    case .delete:
      guard case .outcome(_, let value) = content else { return }
      deletionEnded(done, value)
    }
  }

  /// A count is an estimate and never the reason for a failure (GLP 4.7.3.2).
  private mutating func counted(_ content: RecordAccessResponse.Content) {
    transfer.countIsAsked = true
    switch content {
    case .count(let count):
      transfer.count = Int(count)
      run.count = Int(count)
      progress(.counting)
    // Wrong, but clear: a count of none is the number 0 (GLS 3.4.3.2).
    case .outcome(_, .noRecordsFound): transfer.count = 0
    case .outcome(_, let value):
      if value.meansUnsupported { remember(unsupported: .count, after: value) }
    }
    proceed()
  }

  /// The response to the request for records (GLS 3.4.4): each code has its own end.
  private mutating func transferred(_ content: RecordAccessResponse.Content) {
    guard case .outcome(_, let value) = content else { return }
    switch value {
    case .success, .noRecordsFound:
      if value == .noRecordsFound && run.received > 0 && !buffer.entries.isEmpty {
        notice(.recordsDespiteNone(buffer.entries.count))
      }
      transfer.isAnswered = true
      transfer.wasSuccess = value == .success
      transfer.answeredAt = now
      proceed()
    case _ where value.meansUnsupported && !transfer.isFull && !transfer.hasFallenBack:
      if case .within = transfer.selection {
        remember(unsupported: .reportRange, after: value)
      } else {
        remember(unsupported: .reportAtLeast, after: value)
      }
      let count = transfer.count
      transfer = TransferState(selection: .all)
      transfer.hasFallenBack = true
      transfer.isAskedAgain = true
      transfer.count = count
      transfer.countIsAsked = count != nil
      proceed()
    default: finish(.refused(value))
    }
  }

  mutating func remember(unsupported requests: UnsupportedRequests, after value: RecordAccessResponseValue? = nil) {
    if let value { notice(.fellBack(requests, value)) }
    guard !memory.unsupported.contains(requests) else { return }
    memory.unsupported.formUnion(requests)
    outbox.append(.rememberUnsupported(memory.unsupported))
  }
}

extension RecordAccessResponseValue {
  /// Op code, operator or filter not supported: another request may do.
  var meansUnsupported: Bool {
    self == .opCodeNotSupported || self == .operatorNotSupported || self == .operandNotSupported
  }
}
