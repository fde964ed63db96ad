import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Bugs that were reported of other collectors, kind F (pairing, encryption, lost bonds), one test each.
@Suite struct SecurityPainTests {
  private func rig(_ count: Int = 5) -> Rig { Rig(ScriptedMeter(records: count)) }

  /// A collector and what it wants, without a meter.
  private func collector(isBonded: Bool) -> (RecordCollector, [CollectorAction]) {
    var collector = RecordCollector(plan: CollectorPlan(), memory: MeterMemory(isBonded: isBonded), meter: Rig.address)
    var actions: [CollectorAction] = []
    collector.handle(.linkUp(mtu: 23, security: .none), at: 0, into: &actions)
    return (collector, actions)
  }

  @Test func f1ARefusalForWantOfSecurityIsLifted() {
    var rig = rig()
    #expect(rig.sync(CollectorPlan(allowUnencrypted: true)).outcome == .synced(new: 5))
    #expect(rig.raised == [2])
    rig.expectHeld()
  }

  @Test func f2TheRefusedRequestIsSentAgain() {
    var rig = rig()
    rig.sync(CollectorPlan(allowUnencrypted: true))
    let repeated = rig.sent.indices.dropFirst().contains { index in
      rig.sent[index] == rig.sent[index - 1] && (rig.sent[index].first == 0x0A || rig.sent[index].first == 0x12)
    }
    #expect(repeated)
  }

  @Test func f3AKeyTheMeterLostIsALostBond() {
    var rig = rig()
    rig.sync()
    let requests = rig.requests.count
    rig.securityFailure = .keyMissing
    #expect(rig.sync().outcome == .bondLost(.keyMissing))
    #expect(rig.requests.count == requests)
  }

  @Test func f4NoBondAndAStaleBondAreToldApart() {
    var rig = rig()
    rig.securityFailure = .other("EACCES")
    #expect(rig.sync().outcome == .pairingFailed(.other("EACCES")))
    rig.securityFailure = nil
    rig.sync()
    rig.securityFailure = .other("EACCES")
    #expect(rig.sync().outcome == .bondLost(.other("EACCES")))
  }

  @Test func f5NoRequestRunsWhileEncryptionDoes() {
    var (collector, actions) = collector(isBonded: true)
    #expect(actions.contains(.raiseSecurity(level: 2)))
    #expect(!actions.contains { if case .send = $0 { true } else { false } })
    actions = []
    collector.handle(.tick, at: 5_000_000_000, into: &actions)
    #expect(actions.isEmpty)
    collector.handle(.securityChanged(LinkSecurity(level: 2, keySize: 16)), at: 6_000_000_000, into: &actions)
    #expect(actions.contains { if case .send = $0 { true } else { false } })
  }

  @Test func f6HistoryDecidesNotTheCode() {
    for failure in [SecurityFailure.keyMissing, .keyMismatch, .pairing(PairingFailure(rawValue: 3))] {
      var fresh = rig()
      fresh.securityFailure = failure
      #expect(fresh.sync().outcome == .pairingFailed(failure))
      var bonded = rig()
      bonded.sync()
      bonded.securityFailure = failure
      #expect(bonded.sync().outcome == .bondLost(failure))
    }
  }

  @Test func f7ABondIsNoEncryption() {
    var (collector, actions) = collector(isBonded: true)
    actions = []
    collector.handle(.securityChanged(LinkSecurity(level: 2, keySize: 0)), at: 1, into: &actions)
    #expect(actions.isEmpty)
  }

  @Test func f8WhatAPersonMustMendIsNotRetried() {
    var schedule = RetrySchedule()
    #expect(schedule.pause(after: SyncRun(outcome: .bondLost(.keyMissing))) == nil)
    #expect(schedule.pause(after: SyncRun(outcome: .pairingFailed(.declined))) == nil)
    #expect(schedule.pause(after: SyncRun(outcome: .linkLost(reason: "0x08"))) == 2_000_000_000)
  }

  @Test func f9RemovedPairingInformationHasItsOwnOutcome() {
    var rig = rig()
    rig.sync()
    rig.securityFailure = .keyMissing
    #expect(rig.sync().outcome == .bondLost(.keyMissing))
    // The person repairs it: the old key is forgotten, and the meter pairs anew.
    rig.securityFailure = nil
    rig.keeper.meterMemory.isBonded = false
    rig.meter.add(1)
    #expect(rig.sync().outcome == .synced(new: 1))
    rig.expectHeld()
  }

  @Test func f10FailedPairingAtASubscriptionEndsTheRun() {
    var rig = rig()
    rig.securityFailure = .passkey
    #expect(rig.sync(CollectorPlan(allowUnencrypted: true)).outcome == .pairingFailed(.passkey))
    #expect(rig.heldCount == 0)
  }

  @Test func f11TheBondIsUsedOnEveryLink() {
    var rig = rig()
    for _ in 0..<5 {
      rig.sync()
      #expect(rig.raised == [2])
      rig.meter.add(1)
    }
    #expect(rig.heldCount == 9)
  }

  @Test func f12ADropBeforeTheDataIsTriedAgain() {
    var rig = rig()
    let run = rig.sync(cut: 30)
    #expect(RetrySchedule.mayHelp(run.outcome))
    #expect(rig.sync().outcome == .synced(new: 5))
    rig.expectHeld()
  }

  @Test func f13SubscriptionsHaveTheBitTheirPropertyNeeds() {
    var rig = rig()
    rig.sync()
    let written = rig.sent.filter { $0.first == 0x12 && $0.count == 5 && $0[4] == 0 && $0[1] < 20 }.map { $0[3] }
    #expect(written == [2, 1, 1, 2])
  }

  @Test func f14AMeterThatGoesDuringDiscoveryIsFoundAgain() {
    var rig = rig()
    #expect(rig.sync(cut: 5).outcome == .linkLost(reason: "0x08"))
    #expect(rig.keeper.meterMemory.attributes == nil)
    #expect(rig.sync().outcome == .synced(new: 5))
  }

  @Test func f15ASecurityFailureCancelsNoRequest() {
    var (collector, actions) = collector(isBonded: false)
    let sent = actions.compactMap { if case .send(let pdu) = $0 { pdu } else { nil } }
    actions = []
    collector.handle(.securityFailed(.other("a pairing nobody here asked for")), at: 1, into: &actions)
    #expect(actions.isEmpty)
    collector.handle(.received([0x11, 6, 1, 0, 9, 0, 0x08, 0x18]), at: 2, into: &actions)
    #expect(sent == [[0x10, 1, 0, 0xFF, 0xFF, 0, 0x28]])
    #expect(actions.contains(.send([0x10, 10, 0, 0xFF, 0xFF, 0, 0x28])))
  }
}
