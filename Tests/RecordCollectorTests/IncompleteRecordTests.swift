import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Records that came cut: asked for again once, and never deleted while they lack something.
@Suite struct IncompleteRecordTests {
  private static let plan = CollectorPlan(deleteAfterSync: true)

  @Test func aCutRecordIsAskedForOnceMore() {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.meter.faults.cut = [3]
    let all = rig.meter.records
    #expect(rig.sync(Self.plan).outcome == .synced(new: 5))
    #expect(rig.requests.prefix(3) == [[1, 1], [4, 1], [1, 4, 1, 3, 0, 3, 0]])
    #expect(!rig.notices.contains { if case .shortRecords = $0 { true } else { false } })
    #expect(!rig.notices.contains { if case .conflicting = $0 { true } else { false } })
    rig.expectHeld(all)
    #expect(rig.meter.records.isEmpty)
  }

  @Test func aRecordThatStaysCutIsKeptAndNotDeleted() {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.meter.faults.shortened = [3]
    #expect(rig.sync(Self.plan).outcome == .synced(new: 5))
    #expect(rig.notices.contains(.shortRecords([3])))
    #expect(rig.requests.filter { $0[0] == 1 && $0[1] == 4 } == [[1, 4, 1, 3, 0, 3, 0]])
    #expect(rig.requests.filter { $0[0] == 2 } == [[2, 4, 1, 1, 0, 2, 0], [2, 4, 1, 4, 0, 5, 0]])
    #expect(rig.meter.records.map(\.number) == [3])
    #expect(rig.heldCount == 5)
  }

  @Test func aRecordWithoutItsContextIsNotDeleted() {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.meter.faults.noContexts = true
    #expect(rig.sync(Self.plan).outcome == .synced(new: 5))
    #expect(rig.meter.records.map(\.number) == [3])
  }

  /// Subscriptions are written once more for a Delete, and the link is lost there: what the run is for is done.
  @Test func aDeletionThatNeedsItsSubscriptionsIsStillADeletion() {
    var whole = Rig(ScriptedMeter(records: 4))
    whole.meter.faults.forgetsSubscriptionsAtDelete = true
    let run = whole.sync(Self.plan)
    #expect(run.outcome == .synced(new: 4))
    #expect(whole.meter.records.isEmpty)
    for cut in 1...whole.crossings {
      var rig = Rig(ScriptedMeter(records: 4))
      rig.meter.faults.forgetsSubscriptionsAtDelete = true
      let run = rig.sync(Self.plan, cut: cut)
      #expect(run.outcome == (rig.heldCount == 4 ? .synced(new: 4) : .linkLost(reason: "0x08")), "cut \(cut)")
    }
  }
}
