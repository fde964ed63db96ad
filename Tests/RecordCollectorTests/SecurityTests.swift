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
