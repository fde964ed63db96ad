import BluetoothWire
import RecordCollector
import ScriptedMeter
import Testing

@Suite struct SecurityTests {
  @Test func unencryptedMeterIsRefusedUnlessAllowed() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.meter.faults.requiresSecurity = false
    rig.securityFailure = .pairing(PairingFailure(rawValue: 0x05))
    #expect(rig.sync().outcome == .notEncrypted)
    #expect(rig.requests.isEmpty)
    #expect(rig.sync(CollectorPlan(allowUnencrypted: true)).outcome == .synced(new: 3))
    #expect(rig.raised.isEmpty)
    #expect(rig.notices.contains(.unencrypted))
    rig.expectHeld()
  }

  @Test func allowedMeterIsEncryptedWhenItAsks() {
    var rig = Rig(ScriptedMeter(records: 3))
    #expect(rig.sync(CollectorPlan(allowUnencrypted: true)).outcome == .synced(new: 3))
    #expect(rig.raised == [2])
    rig.expectHeld()
  }

  /// Handles belong to the bond they were found under (Core Vol 3 Part G 2.5.2).
  @Test(arguments: [false, true])
  func aNewBondDiscoversAnew(isAllowedInClear: Bool) {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.sync()
    #expect(rig.keeper.meterMemory.attributes != nil)
    rig.keeper.meterMemory.isBonded = false
    rig.meter.isBonded = false
    rig.meter.add(1)
    let run = rig.sync(CollectorPlan(allowUnencrypted: isAllowedInClear))
    #expect(run.outcome == .synced(new: 1))
    #expect(!run.usedCache)
    #expect(rig.raised == [2])
    #expect(rig.sent.contains { $0.first == 0x10 })
    #expect(!rig.notices.contains(.staleAttributes))
    rig.expectHeld()
    #expect(rig.sync().usedCache)
  }

  /// What is on its way into the store came over an encrypted link; only the deletion is not done.
  @Test func encryptionThatIsLostWhileCommittingLosesNothing() throws {
    var base = Rig(ScriptedMeter(records: 3))
    base.sync()
    base.meter.add(1)
    var collector = RecordCollector(
      plan: CollectorPlan(deleteAfterSync: true),
      memory: base.keeper.meterMemory,
      meter: Rig.address
    )
    var actions: [CollectorAction] = []
    var meter = base.meter
    var now: UInt64 = 1_000_000_000_000
    meter.connect(at: now)
    meter.isEncrypted = true
    collector.handle(.linkUp(mtu: 247, security: LinkSecurity(level: 2, keySize: 16)), at: now, into: &actions)
    for _ in 0..<1_000 {
      while !actions.isEmpty {
        switch actions.removeFirst() {
        case .send(let pdu): meter.receive(pdu, at: now)
        case .lookUp(_, let number):
          let held = try base.keeper.records(of: Rig.address, epoch: 0, sequenceNumber: number)
          collector.handle(.lookedUp(held), at: now, into: &actions)
        case .commit(let batch):
          collector.handle(.securityChanged(.none), at: now, into: &actions)
          #expect(actions.isEmpty)
          collector.handle(.committed(CommitReceipt(stored: batch.records.count)), at: now, into: &actions)
        case .finished(let run):
          #expect(run.outcome == .synced(new: 1))
          #expect(run.mark == 4)
          return
        default: break
        }
      }
      guard let next = [meter.nextDue, collector.deadline].compactMap({ $0 }).min() else { break }
      now = max(now, next)
      for pdu in meter.due(at: now) { collector.handle(.received(pdu), at: now, into: &actions) }
      if let deadline = collector.deadline, deadline <= now { collector.handle(.tick, at: now, into: &actions) }
    }
    Issue.record("the run does not end")
  }

  @Test func authenticationIsRaisedWhereEncryptionIsNotEnough() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.meter.faults.requiresAuthentication = true
    #expect(rig.sync().outcome == .synced(new: 3))
    #expect(rig.raised == [2, 3])
    rig.expectHeld()
  }

  @Test func refusedPairingIsNoLostBond() {
    var rig = Rig(ScriptedMeter(records: 3))
    let failure = SecurityFailure.pairing(PairingFailure(rawValue: 0x03))
    rig.securityFailure = failure
    #expect(rig.sync().outcome == .pairingFailed(failure))
    rig.securityFailure = nil
    rig.sync()
    rig.securityFailure = .keyMissing
    #expect(rig.sync().outcome == .bondLost(.keyMissing))
    rig.securityFailure = .other("EACCES")
    #expect(rig.sync().outcome == .bondLost(.other("EACCES")))
  }

  @Test func aLevelWithoutAKeyIsNoEncryption() {
    var collector = RecordCollector(plan: CollectorPlan(), memory: MeterMemory(isBonded: true), meter: Rig.address)
    var actions: [CollectorAction] = []
    collector.handle(.linkUp(mtu: 23, security: .none), at: 0, into: &actions)
    #expect(actions.contains(.raiseSecurity(level: 2)))
    actions = []
    collector.handle(.securityChanged(LinkSecurity(level: 2, keySize: 0)), at: 1, into: &actions)
    #expect(actions.isEmpty)
    collector.handle(.tick, at: 61_000_000_000, into: &actions)
    guard case .finished(let run) = actions.last else {
      Issue.record("not finished")
      return
    }
    #expect(run.outcome == .timedOut(.security))
  }
}
