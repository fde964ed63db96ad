import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Meters that answer one procedure on a link, or not every kind of one, are synced all the same, and lose nothing.
@Suite struct OneProcedureTests {
  private static let refusals: [MeterFaults.Refusal] = [.silence, .unansweredWrite, .hangUp, .hangUpBefore]
  private static let plans = [CollectorPlan(), CollectorPlan(hostCountsDrops: true)]

  /// So many runs, one after another, as `sync` tries them.
  private static let runs = 4

  @Test(arguments: refusals, plans)
  func aMeterThatAnswersOneProcedureIsSynced(refusal: MeterFaults.Refusal, plan: CollectorPlan) {
    var meter = ScriptedMeter(records: 10)
    meter.faults.proceduresALink = 1
    meter.faults.afterwards = refusal
    var rig = Rig(meter)
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 10))
    rig.expectHeld()
    rig.meter.add(3)
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 3))
    rig.expectHeld()
    // From now on one request is enough.
    #expect(rig.keeper.meterMemory.unsupported.contains(.followUps))
    rig.meter.add(1)
    let before = rig.requests.count
    #expect(rig.sync(plan).outcome == .synced(new: 1))
    #expect(rig.requests.dropFirst(before) == [[1, 1]])
    #expect(rig.sync(plan).outcome == .nothingNew)
    rig.expectHeld()
  }

  /// Its numbers are looked at all the same: what it has is compared with what is held.
  @Test(arguments: refusals)
  func itsRestartedNumbersOpenAnEpoch(refusal: MeterFaults.Refusal) {
    var meter = ScriptedMeter(records: 10)
    meter.faults.proceduresALink = 1
    meter.faults.afterwards = refusal
    var rig = Rig(meter)
    _ = rig.syncUntilComplete(limit: Self.runs)
    rig.meter.records = []
    rig.meter.nextNumber = 1
    rig.meter.add(15)
    #expect(rig.syncUntilComplete(limit: Self.runs).outcome == .synced(new: 15))
    #expect(rig.keeper.meterMemory.epoch == 1)
    rig.expectHeld(epoch: 1)
    #expect(rig.heldCount == 25)
  }

  /// Nothing it may have left out is behind the mark.
  @Test func itsMarkStopsAtAGap() {
    var meter = ScriptedMeter(records: 10)
    meter.faults.proceduresALink = 1
    var rig = Rig(meter)
    rig.keeper.meterMemory.unsupported = .followUps
    rig.meter.faults.skipped = [6]
    #expect(rig.sync().outcome == .synced(new: 9))
    #expect(rig.keeper.meterMemory.mark == 5)
    rig.meter.faults.skipped = []
    #expect(rig.sync().outcome == .synced(new: 1))
    #expect(rig.keeper.meterMemory.mark == 10)
    rig.expectHeld()
  }

  /// A response came, the Write Response did not, and the numbers had begun anew and grown past the mark.
  @Test func anUnansweredWriteCommitsNoUnknownNumbering() {
    var meter = ScriptedMeter(records: 10)
    meter.faults.noWriteResponse = true
    var rig = Rig(meter)
    #expect(rig.sync().outcome == .synced(new: 10))
    rig.meter.records = []
    rig.meter.nextNumber = 1
    rig.meter.add(15)
    #expect(rig.sync().outcome == .timedOut(.attributeResponse))
    #expect(rig.heldCount == 10)
    #expect(rig.keeper.meterMemory.mark == 10)
    #expect(rig.syncUntilComplete().outcome == .synced(new: 15))
    rig.expectHeld(epoch: 1)
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    rig.expectHeld(epoch: 1)
  }

  /// One link that was lost at the wrong moment does not change how a meter is asked.
  @Test func aLinkThatWasLostOnceIsNoHabit() {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.sync()
    rig.meter.add(1)
    rig.meter.faults.refusals = [[1, 4]: .hangUp]
    #expect(rig.sync().outcome == .linkLost(reason: "0x13"))
    #expect(rig.keeper.meterMemory.unsupported == .followUpsInDoubt)
    rig.meter.faults.refusals = [:]
    #expect(rig.sync().outcome == .synced(new: 1))
    #expect(rig.keeper.meterMemory.unsupported == [])
    rig.expectHeld()
  }

  /// The count is an estimate: its silence costs 30 s once, and no record.
  @Test(arguments: [MeterFaults.Refusal.silence, .unansweredWrite])
  func aCountThatIsNeverAnsweredIsAskedForOnce(refusal: MeterFaults.Refusal) {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.meter.faults.refusals = [[4]: refusal]
    #expect(rig.sync().outcome == .synced(new: 10))
    #expect(rig.keeper.meterMemory.unsupported == .count)
    rig.expectHeld()
    for _ in 0..<2 {
      rig.meter.add(2)
      rig.meter.records.remove(at: rig.meter.records.count - 2)
      #expect(rig.sync().outcome == .synced(new: 1))
    }
    #expect(rig.requests.filter { $0[0] == 4 }.count == 1)
    #expect(Set(rig.keeper.held[0, default: []].map(\.sequenceNumber)).isSuperset(of: rig.meter.records.map(\.number)))
  }

  /// The same where a total was wanted before the records.
  @Test func aCountThatIsWantedFirstAndNeverAnsweredIsAskedForOnce() {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.meter.faults.refusals = [[4]: .silence]
    #expect(rig.sync(CollectorPlan(countFirst: true)).outcome == .timedOut(.recordAccess))
    #expect(rig.sync(CollectorPlan(countFirst: true)).outcome == .synced(new: 10))
    rig.expectHeld()
  }

  /// A missing number is asked for, and the meter falls silent or hangs up over it.
  @Test(arguments: refusals.dropLast(), plans)
  func aRangeForAMissingNumberCostsNoRecord(refusal: MeterFaults.Refusal, plan: CollectorPlan) {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.meter.faults.skipped = [4]
    rig.meter.faults.refusals = [[1, 4]: refusal]
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 9))
    #expect(rig.notices.contains { if case .countDiffers = $0 { true } else { false } })
    rig.meter.add(2)
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 2))
    rig.meter.add(2)
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 2))
    #expect(Set(rig.keeper.held[0, default: []].map(\.sequenceNumber)) == Set([1, 2, 3] + (5...14)))
  }

  /// A missing context is asked for, and the meter falls silent or hangs up over it.
  @Test(arguments: refusals.dropLast(), plans)
  func aMissingContextCostsNoRecord(refusal: MeterFaults.Refusal, plan: CollectorPlan) {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.meter.faults.lostContexts = [3]
    rig.meter.faults.refusals = [[1, 4, 1, 3]: refusal]
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 10))
    #expect(rig.notices.contains(.contextsMissing([3])))
    #expect(rig.keeper.held[0, default: []].filter(\.contextIsMissing).map(\.sequenceNumber) == [3])
    #expect(!rig.keeper.meterMemory.unsupported.contains(.followUps))
    rig.meter.add(2)
    #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome == .synced(new: 2))
  }

  /// The check of the numbers, whatever it is asked with.
  @Test(arguments: refusals.dropLast(), plans)
  func aCheckOfTheNumbersThatIsNeverAnsweredCostsNoRecord(refusal: MeterFaults.Refusal, plan: CollectorPlan) {
    for requests in [[[1, 4]], [[1, 6]], [[1, 4], [1, 6]], [[1, 4], [1, 6], [4]]] as [[[UInt8]]] {
      var rig = Rig(ScriptedMeter(records: 10))
      for request in requests { rig.meter.faults.refusals[request] = refusal }
      #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome.isComplete)
      for _ in 0..<3 {
        #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome.isComplete)
        rig.meter.add(1)
        #expect(rig.syncUntilComplete(plan, limit: Self.runs).outcome.isComplete)
        rig.expectHeld()
      }
    }
  }
}
