import BluetoothWire

extension RecordCollector {
  mutating func linkUp(mtu: UInt16, security: LinkSecurity) {
    guard case .waitingForLink = phase else { return }
    phase = .preparing
    linkIsUp = true
    startedAt = now
    offeredMTU = max(23, min(mtu, plan.maximumTransmissionUnit))
    self.security = security
    // A held key is used on every connection before anything else (GLP 5.2.2); without one the link stays in clear
    // until a health service has been found or the meter asks.
    if memory.isBonded { agenda.append(.secure) }
    // Handles outlive a link only with the bond they were found under (Core Vol 3 Part G 2.5.2). Where no key is held and
    // the link is in clear, pairing would make a new one, but for a meter that may stay in clear.
    let hasItsBond = memory.isBonded || security.isEncrypted || plan.allowUnencrypted
    if let cache = memory.attributes, hasItsBond {
      attributes = cache
      usesCache = true
      agenda += [.secure, .verifyCache, .readDetails] + subscriptions
    } else {
      agenda += freshDiscovery
    }
    nextStep()
  }

  /// The link is gone: a procedure that ran has failed, and nothing of its transfer is kept (GLP 4.7.5).
  mutating func linkLost(_ reason: String) {
    linkIsUp = false
    mayRequest = false
    exchange = nil
    abortDeadline = nil
    if isDeleting {
      notice(.deletionNotDone(reason))
      return finish(completeOutcome)
    }
    switch phase {
    case .committing: break
    case .procedures where !isAborting: interrupted(.hangUp, .linkLost(reason: reason))
    case .waitingForLink, .preparing, .procedures, .deleting, .finished:
      finish(isAborting ? .aborted : .linkLost(reason: reason))
    }
  }

  /// A time that was waited for may have come.
  mutating func tick() {
    if let abortDeadline, now >= abortDeadline { return finish(.aborted) }
    if let exchange, now >= exchange.deadline { return attributeTimeOut() }
    if let procedure, procedure.isAccepted, now >= procedure.deadline { return procedureTimeOut(procedure) }
    switch waiting {
    case .security(let deadline) where now >= deadline: finish(.timedOut(.security))
    case .busy(let until) where now >= until:
      waiting = .nothing
      sendProcedure()
    case .quiet(let until) where now >= until: quietIsOver()
    default: break
    }
  }

  /// Nothing more may be sent on this bearer (Core Vol 3 Part F 3.3.3).
  private mutating func attributeTimeOut() {
    mayRequest = false
    // The response came though the write was not answered: the procedure is over all the same.
    if case .recordAccess = exchange?.purpose, let procedure, let content = procedure.earlyResponse {
      exchange = nil
      self.procedure = nil
      interruption = Interruption(kind: .unansweredWrite, purpose: nil, outcome: .timedOut(.attributeResponse))
      return conclude(procedure, content)
    }
    if case .recordAccess = exchange?.purpose, let procedure { rememberSilence(procedure.purpose) }
    timeOut(.timedOut(.attributeResponse))
  }

  /// The procedure has failed and no other may be started on this link (GLP 4.7.5.1).
  private mutating func procedureTimeOut(_ procedure: RunningProcedure) {
    mayRequest = false
    rememberSilence(procedure.purpose)
    timeOut(procedure.strayResponse.map { .wrongAnswer($0) } ?? .timedOut(.recordAccess))
  }

  /// The next run takes requests every meter must know.
  private mutating func rememberSilence(_ purpose: RunningProcedure.Purpose) {
    switch purpose {
    case .countFirst, .countAfter: remember(unsupported: .count)
    case .mark, .gap: remember(unsupported: .reportRange)
    case .last: remember(unsupported: .reportLast)
    case .transfer, .fromMark, .again, .delete: break
    }
  }

  private mutating func timeOut(_ outcome: SyncOutcome) {
    if isDeleting {
      notice(.deletionNotDone("no answer"))
      return finish(completeOutcome)
    }
    if case .procedures = phase, !isAborting { return interrupted(.silence, outcome) }
    finish(isAborting ? .aborted : outcome)
  }

  /// Stops a running procedure with Abort (GLP 4.7.3.5), then ends the link; nothing of it is stored.
  mutating func abort() {
    guard !isAborting else { return }
    isAborting = true
    // A complete transfer is on its way into the store; the answer ends the run.
    if case .committing = phase { return }
    if isDeleting, exchange == nil, procedure == nil { return finish(completeOutcome) }
    // Only a procedure that runs, or whose write is on its way, has anything to stop.
    guard linkIsUp, mayRequest, let procedure, procedure.isAccepted || exchange != nil else { return finish(.aborted) }
    abortDeadline = now + CollectorTiming.courtesy
    // A write that is not answered yet must be, before another may follow.
    if exchange == nil { sendAbort() }
  }
}
