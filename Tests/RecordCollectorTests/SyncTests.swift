import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

@Suite struct SyncTests {
  @Test func firstSyncFetchesEverythingInOrder() {
    var rig = Rig(ScriptedMeter(records: 30))
    let run = rig.sync()
    #expect(run.outcome == .synced(new: 30))
    #expect(run.mark == 30)
    #expect(rig.requests == [[1, 1], [4, 1]])
    #expect(rig.keeper.meterMemory.mark == 30)
    #expect(rig.keeper.meterMemory.identity?.manufacturer == "Example Instruments")
    #expect(rig.keeper.meterMemory.identity?.model == "GM-1, a model with a name of forty octets")
    #expect(rig.keeper.meterMemory.identity?.feature == 0x0403)
    #expect(rig.raised == [2])
    rig.expectHeld()
    let configured = rig.sent.filter { $0.first == 0x12 && $0.count == 5 && ($0[3] == 1 || $0[3] == 2) && $0[4] == 0 }
    // Service Changed, measurement, context, record access.
    #expect(configured.map { $0[3] } == [2, 1, 1, 2])
  }

  @Test func reconnectionUsesTheBondAndTheHandlesAndAsksAboveTheMark() {
    var rig = Rig(ScriptedMeter(records: 30))
    rig.sync()
    rig.meter.add(3)
    let run = rig.sync()
    #expect(run.outcome == .synced(new: 3))
    #expect(run.usedCache)
    #expect(rig.requests.dropFirst(2) == [[1, 3, 1, 31, 0], [1, 4, 1, 30, 0, 30, 0]])
    #expect(!rig.sent.contains { [0x02, 0x04, 0x10].contains($0.first) })
    // Probe, feature, clock, three subscriptions, the request, the check of the mark.
    #expect(run.roundTrips == 8)
    rig.expectHeld()
  }

  @Test func nothingNewIsASuccess() {
    var rig = Rig(ScriptedMeter(records: 30))
    rig.sync()
    let run = rig.sync()
    #expect(run.outcome == .nothingNew)
    #expect(run.outcome.isComplete)
    #expect(rig.requests.dropFirst(2) == [[1, 3, 1, 31, 0], [1, 6]])
    rig.expectHeld()
  }

  @Test func emptyMeterIsASuccess() {
    var rig = Rig(ScriptedMeter())
    #expect(rig.sync().outcome == .nothingNew)
    rig.meter.add(1)
    #expect(rig.sync().outcome == .synced(new: 1))
    rig.expectHeld()
  }

  @Test func databaseHashIsCompared() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.meter.faults.databaseHash = [UInt8](repeating: 7, count: 16)
    rig.sync()
    #expect(rig.keeper.meterMemory.attributes?.databaseHash == [UInt8](repeating: 7, count: 16))
    #expect(rig.sync().usedCache)
    rig.meter.faults.databaseHash = [UInt8](repeating: 8, count: 16)
    rig.meter.faults.firstHandle = 40
    rig.meter.add(1)
    let run = rig.sync()
    #expect(run.outcome == .synced(new: 1))
    #expect(!run.usedCache)
    #expect(rig.notices.contains(.staleAttributes))
    #expect(rig.keeper.meterMemory.attributes?.databaseHash == [UInt8](repeating: 8, count: 16))
    rig.expectHeld()
  }

  @Test(arguments: [2, 3, 7, 40, 200] as [UInt16])
  func staleHandlesAreFoundByTheProbe(first: UInt16) {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.sync()
    rig.meter.faults.firstHandle = first
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.notices.contains(.staleAttributes))
    rig.expectHeld()
  }

  @Test func serviceChangedForgetsTheHandles() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.meter.faults.indicatesServiceChanged = true
    #expect(rig.sync().outcome == .synced(new: 3))
    #expect(rig.sent.contains([0x1E]))
    rig.expectHeld()
  }

  @Test func countComesFirstWhereAsked() {
    var rig = Rig(ScriptedMeter(records: 5))
    let run = rig.sync(CollectorPlan(countFirst: true))
    #expect(rig.requests == [[4, 1], [1, 1]])
    #expect(run.count == 5)
    rig.expectHeld()
  }

  @Test func rangeLeavesTheMarkWhereItWouldSkip() {
    var rig = Rig(ScriptedMeter(records: 30))
    let run = rig.sync(CollectorPlan(selection: .range(10...12)))
    #expect(run.outcome == .synced(new: 3))
    #expect(rig.keeper.meterMemory.mark == nil)
    #expect(rig.sync().outcome == .synced(new: 27))
    #expect(rig.keeper.meterMemory.mark == 30)
    rig.expectHeld()
    rig.meter.add(10)
    rig.sync(CollectorPlan(selection: .range(35...36)))
    #expect(rig.keeper.meterMemory.mark == 30)
    rig.sync(CollectorPlan(selection: .range(31...36)))
    #expect(rig.keeper.meterMemory.mark == 36)
    #expect(rig.sync().outcome == .synced(new: 4))
    rig.expectHeld()
  }

  @Test func allAgainStoresNothingTwice() {
    var rig = Rig(ScriptedMeter(records: 30))
    rig.sync()
    let run = rig.sync(CollectorPlan(selection: .all))
    #expect(run.outcome == .nothingNew)
    #expect(run.alreadyHeld == 30)
    rig.expectHeld()
  }

  @Test func afterTheHighestNumberNothingWraps() {
    var meter = ScriptedMeter()
    meter.nextNumber = 65_530
    meter.add(6)
    var rig = Rig(meter)
    rig.sync()
    #expect(rig.keeper.meterMemory.mark == 65_535)
    #expect(rig.sync().outcome == .nothingNew)
    #expect(rig.notices.contains(.numbersExhausted))
    #expect(rig.requests.dropFirst(2) == [[4, 1], [1, 6]])
    // A meter that goes on with 0 breaks the rule, and still nothing is lost.
    let before = rig.meter.records
    rig.meter.add(3)
    rig.meter.records.removeFirst(2)
    let run = rig.syncUntilComplete()
    #expect(run.outcome.isComplete)
    let held = Set(rig.keeper.held.values.flatMap { $0 }.map { Rig.Fact($0) })
    #expect(held == Set((before + rig.meter.records).map { Rig.Fact($0) }))
    #expect(!rig.requests.contains([1, 3, 1, 0, 0]))
  }

  @Test(arguments: [1, 7, 29, 31, 200])
  func restartedNumbersOpenAnEpoch(count: Int) {
    var rig = Rig(ScriptedMeter(records: 30))
    rig.sync()
    rig.meter.records = []
    rig.meter.nextNumber = 1
    rig.meter.add(count)
    let run = rig.sync()
    #expect(run.outcome == .synced(new: count))
    #expect(rig.notices.contains { if case .numberingRestarted = $0 { true } else { false } })
    #expect(run.epoch == 1)
    #expect(rig.heldCount == 30 + count)
    rig.expectHeld(epoch: 1)
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    rig.expectHeld(epoch: 1)
  }

  @Test func restartedNumbersWithASetBackClockAreFoundToo() {
    var rig = Rig(ScriptedMeter(records: 30))
    rig.sync()
    rig.meter.records = []
    rig.meter.nextNumber = 0
    rig.meter.clock = 1_577_836_800
    rig.meter.add(5)
    #expect(rig.sync().outcome == .synced(new: 5))
    #expect(rig.heldCount == 35)
  }

  @Test func deletionOnTheMeterIsNoRestart() {
    var rig = Rig(ScriptedMeter(records: 30))
    rig.sync()
    rig.meter.records.removeLast(5)
    #expect(rig.sync().outcome == .nothingNew)
    rig.meter.records = []
    #expect(rig.sync().outcome == .nothingNew)
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.keeper.meterMemory.epoch == 0)
    #expect(rig.heldCount == 32)
  }

  @Test func abortStopsTheReportAndStoresNothing() {
    var rig = Rig(ScriptedMeter(records: 400))
    rig.abortsAfter = 20
    let run = rig.sync()
    #expect(run.outcome == .aborted)
    #expect(rig.requests == [[1, 1], [3, 0]])
    #expect(rig.heldCount == 0)
    #expect(rig.keeper.meterMemory.mark == nil)
    rig.abortsAfter = nil
    #expect(rig.sync().outcome == .synced(new: 400))
    rig.expectHeld()
  }

  @Test func abortWhileTheMeterIsBusyEndsAtOnce() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.meter.faults.busy = 1000
    rig.abortsWhenBusy = true
    #expect(rig.sync().outcome == .aborted)
    #expect(rig.requests.isEmpty)
  }

  @Test func deletionFollowsTheCommitAndOnlyWhatWasCommitted() {
    var meter = ScriptedMeter(records: 10)
    meter.records.remove(at: 4)
    var rig = Rig(meter)
    let all = rig.meter.records
    let run = rig.sync(CollectorPlan(deleteAfterSync: true))
    #expect(run.outcome == .synced(new: 9))
    #expect(run.deleted == 9)
    #expect(rig.asked == [[1...4, 6...10]])
    #expect(rig.heldAtDelete == [9, 9])
    #expect(rig.requests.filter { $0[0] == 2 } == [[2, 4, 1, 1, 0, 4, 0], [2, 4, 1, 6, 0, 10, 0]])
    #expect(rig.meter.records.isEmpty)
    rig.expectHeld(all)
  }

  @Test func deletionIsNotDoneWithoutConfirmation() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.confirmsDeletion = false
    #expect(rig.sync(CollectorPlan(deleteAfterSync: true)).outcome == .synced(new: 3))
    #expect(rig.meter.records.count == 3)
    #expect(rig.sync().outcome == .nothingNew)
    #expect(rig.asked.count == 1)
  }

  @Test func failedCommitLosesNothing() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.keeper.failures = 1
    #expect(rig.sync(CollectorPlan(deleteAfterSync: true)).outcome == .storeFailed("no space"))
    #expect(rig.meter.records.count == 3)
    #expect(rig.sync().outcome == .synced(new: 3))
    rig.expectHeld()
  }

  @Test func requestsOfTheMeterAreAnswered() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.meter.faults.ownRequests = [
      [0x02, 0x05, 0x02], [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28], [0x0A, 3, 0], [0x08, 1, 0, 0xFF, 0xFF, 0, 0x2A], [0x3E],
      [0x52, 3, 0, 1], [0x0A],
    ]
    #expect(rig.sync().outcome == .synced(new: 3))
    #expect(rig.sent.contains([0x03, 247, 0]))
    #expect(rig.sent.contains([0x01, 0x10, 1, 0, 0x0A]))
    #expect(rig.sent.contains([0x01, 0x0A, 3, 0, 0x01]))
    #expect(rig.sent.contains([0x01, 0x08, 1, 0, 0x0A]))
    #expect(rig.sent.contains([0x01, 0x3E, 0, 0, 0x06]))
    #expect(rig.sent.contains([0x01, 0x0A, 0, 0, 0x04]))
    rig.expectHeld()
  }
}
