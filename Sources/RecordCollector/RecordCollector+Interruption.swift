import HealthProfiles

extension RecordCollector {
  /// The meter answers one procedure on a link and no second one.
  var asksOnce: Bool { memory.unsupported.contains(.followUps) }

  /// Whether another procedure may follow on this link.
  var mayFollow: Bool { mayRequest && linkIsUp && !asksOnce }

  /// Goes on with what is there; where that is not enough, the run ends with the outcome.
  mutating func interrupted(_ kind: Interruption.Kind, _ outcome: SyncOutcome) {
    mayRequest = false
    exchange = nil
    let running = procedure
    interruption = Interruption(kind: kind, purpose: running?.purpose ?? answered?.procedure.purpose, outcome: outcome)
    procedure = nil
    if let (done, content) = answered, done.purpose == .transfer || done.records > 0 {
      // Its response has come; only what might have come late does not any more.
      answered = nil
      waiting = .nothing
      return evaluate(done, content)
    }
    answered = nil
    guard transfer.isAnswered else {
      // A report that had begun shows that the meter does answer more than one procedure.
      if (running?.records ?? 0) == 0 { followUpFailed() }
      return finish(outcome)
    }
    // The store answers also without a link.
    if case .lookUp = waiting { return }
    waiting = .nothing
    proceed()
  }

  /// Whether a transfer that was answered is stored though no further procedure can look at it.
  ///
  /// All of it must be there, and its numbers must be those of the epoch (GLS 3.1.1.2).
  mutating func commits(after interruption: Interruption) -> Bool {
    guard transfer.numberingIsVerified else { return false }
    let assembly = assembled()
    // Some was lost on the way, and everything would have been asked for again.
    if let count = transfer.count, count > assembly.numbers.count, !transfer.gapsArePlanned, !isCountOfHeld(count) {
      return false
    }
    if asksOnce { return true }
    switch interruption.kind {
    case .unansweredWrite: return true
    // What a meter does not say is not waited for on every run.
    case .silence: return true
    case .hangUp: break
    }
    switch interruption.purpose {
    case .gap, .again:
      // A link may be lost at any time: another one is tried before a meter is believed to hang up over the request.
      return memory.unsupported.contains(.followUpsInDoubt)
    default: break
    }
    if buffer.entries.isEmpty { return transfer.isFull && !transfer.request.isEmpty && !transfer.wasSuccess }
    // A meter may hang up as soon as it has answered (GLP 5.1.4). The host vouches that nothing was dropped, and numbers
    // that rise from the first one on without a gap leave nothing below the mark that the meter left out.
    guard plan.hostCountsDrops, transfer.wasSuccess, transfer.trailing == 0 else { return false }
    guard transfer.againIsPlanned || (transfer.count == nil && buffer.isWholeFromTheStart) else { return false }
    return assembly.orphans.isEmpty && !assembly.records.contains { $0.contextIsMissing || $0.isShort }
  }

  /// The meter was asked something after it had answered, and the link or its answers ended over it.
  ///
  /// Once may be the fault of the link; where the next link ends in the same way, everything is asked for in one
  /// procedure from then on, or such a meter would never be synced.
  mutating func followUpFailed() {
    guard procedureIsAnswered, !asksOnce, run.stored + run.alreadyHeld == 0 else { return }
    if memory.unsupported.contains(.followUpsInDoubt) {
      memory.unsupported.remove(.followUpsInDoubt)
      remember(unsupported: .followUps)
      notice(.oneProcedureALink)
    } else {
      remember(unsupported: .followUpsInDoubt)
    }
  }

  /// The meter has answered everything that was asked on this link.
  mutating func followUpsWereAnswered() {
    guard interruption == nil, transfer.wasFollowed, memory.unsupported.contains(.followUpsInDoubt) else { return }
    memory.unsupported.remove(.followUpsInDoubt)
    outbox.append(.rememberUnsupported(memory.unsupported))
  }
}
