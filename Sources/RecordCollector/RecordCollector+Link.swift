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
    if let cache = memory.attributes {
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
    switch phase {
    case .committing: break
    case .deleting:
      notice(.deletionNotDone(reason))
      finish(completeOutcome)
    case .procedures where !isAborting && commitsWithoutLink(): commitInterrupted()
    case .waitingForLink, .preparing, .procedures, .finished: finish(isAborting ? .aborted : .linkLost(reason: reason))
    }
  }

  /// Whether all but contexts that are asked for again is there and verified: silence must not cost the records, or a
  /// meter that cannot give a record twice would never be synced.
  var commitsIfInterrupted: Bool { transfer.isAnswered && transfer.contextsArePlanned }

  /// Whether a transfer that ended with success may be stored though the link was lost before it was checked.
  ///
  /// A meter may hang up as soon as it has answered (GLP 5.1.4). The host vouches that nothing was dropped, and numbers
  /// that rise from the first one on without a gap leave nothing below the mark that the meter left out. What numbering
  /// it uses must be known: with a mark only a check tells (GLS 3.1.1.2). A context that lacks is asked for on another link.
  private mutating func commitsWithoutLink() -> Bool {
    guard plan.hostCountsDrops, transfer.isAnswered, transfer.wasSuccess, transfer.trailing == 0 else { return false }
    guard !buffer.entries.isEmpty, memory.mark == nil || transfer.numberingIsVerified else { return false }
    guard transfer.contextsArePlanned || (transfer.count == nil && buffer.isWholeFromTheStart) else { return false }
    let assembly = assembled()
    return assembly.orphans.isEmpty && !assembly.records.contains(where: \.contextIsMissing)
  }

  mutating func commitInterrupted() {
    mayRequest = false
    exchange = nil
    procedure = nil
    answered = nil
    waiting = .nothing
    commit()
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
      return conclude(procedure, content)
    }
    timeOut(.timedOut(.attributeResponse))
  }

  /// The procedure has failed and no other may be started on this link (GLP 4.7.5.1).
  private mutating func procedureTimeOut(_ procedure: RunningProcedure) {
    mayRequest = false
    // The next run takes requests every meter must know.
    switch procedure.purpose {
    case .mark: remember(unsupported: .reportRange)
    case .last: remember(unsupported: .reportLast)
    default: break
    }
    timeOut(procedure.strayResponse.map { .wrongAnswer($0) } ?? .timedOut(.recordAccess))
  }

  private mutating func timeOut(_ outcome: SyncOutcome) {
    switch phase {
    case .deleting:
      notice(.deletionNotDone("no answer"))
      finish(completeOutcome)
    case .procedures where !isAborting && commitsIfInterrupted: commitInterrupted()
    default: finish(isAborting ? .aborted : outcome)
    }
  }

  /// Stops a running procedure with Abort (GLP 4.7.3.5), then ends the link; nothing of it is stored.
  mutating func abort() {
    guard !isAborting else { return }
    isAborting = true
    switch phase {
    // A complete transfer is on its way into the store; the answer ends the run.
    case .committing: return
    case .deleting where exchange == nil && procedure == nil: return finish(completeOutcome)
    default: break
    }
    // Only a procedure that runs, or whose write is on its way, has anything to stop.
    guard linkIsUp, mayRequest, let procedure, procedure.isAccepted || exchange != nil else { return finish(.aborted) }
    abortDeadline = now + CollectorTiming.courtesy
    // A write that is not answered yet must be, before another may follow.
    if exchange == nil { sendAbort() }
  }
}
