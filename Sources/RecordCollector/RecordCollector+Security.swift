import BluetoothWire

extension RecordCollector {
  /// Asks the host for encryption, pairing where no key is held; no ATT request runs meanwhile.
  mutating func raiseSecurity(to level: UInt8) {
    raisedTo = level
    waiting = .security(deadline: now + CollectorTiming.security)
    progress(.securing)
    outbox.append(.raiseSecurity(level: level))
  }

  /// The level that may lift a refusal, or nil where nothing is left to try.
  func level(lifting error: ATTError) -> UInt8? {
    guard error.asksForSecurity else { return nil }
    if !security.isEncrypted { return raisedTo < 2 ? 2 : nil }
    // An encrypted link that still lacks authentication needs a key made with a passkey or a comparison.
    return error == .insufficientAuthentication && security.level < 3 && raisedTo < 3 ? 3 : nil
  }

  mutating func securityChanged(_ changed: LinkSecurity) {
    let wasEncrypted = security.isEncrypted
    security = changed
    guard case .security = waiting else {
      if wasEncrypted && !changed.isEncrypted && !plan.allowUnencrypted { encryptionLost() }
      return
    }
    // Some hosts report a level without a key after a failure: only a key counts.
    guard changed.isEncrypted else { return }
    waiting = .nothing
    goOnAfterSecurity()
  }

  /// Nothing more is asked in clear (GLP 6.2); what is on its way into the store came before.
  private mutating func encryptionLost() {
    mayRequest = false
    if case .committing = phase { return }
    finish(.notEncrypted)
  }

  mutating func securityFailed(_ failure: SecurityFailure) {
    guard case .security = waiting else { return }
    waiting = .nothing
    if isAborting { return finish(.aborted) }
    if memory.isBonded {
      // What failed is told by history, not by the code: a key was held, so the meter has lost or replaced its own.
      switch failure {
      case .declined, .passkey: finish(.pairingFailed(failure))
      case .pairing, .keyMissing, .keyMismatch, .other: finish(.bondLost(failure))
      }
    } else if !securityIsDemanded && plan.allowUnencrypted && linkIsUp {
      goOnAfterSecurity()
    } else if !securityIsDemanded && failure == .pairing(PairingFailure(rawValue: 0x05)) {
      finish(.notEncrypted)
    } else {
      finish(.pairingFailed(failure))
    }
  }

  private mutating func goOnAfterSecurity() {
    if let repeated {
      self.repeated = nil
      if usesCache && !memory.isBonded && !isDeleting {
        // The handles are those of an earlier bond.
        discoverAgain(nil)
        return nextStep()
      }
      send(repeated.pdu, repeated.purpose, handle: repeated.handle)
    } else {
      nextStep()
    }
  }
}
