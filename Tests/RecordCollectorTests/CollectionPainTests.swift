import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Bugs that were reported of other collectors, kinds B (the end of a transfer) and C (fetched again), one test each.
@Suite struct CollectionPainTests {
  private func rig(_ count: Int = 30, _ change: (inout MeterFaults) -> Void = { _ in }) -> Rig {
    var meter = ScriptedMeter(records: count)
    change(&meter.faults)
    return Rig(meter)
  }

  @Test func b1APauseIsNotTheEnd() {
    var rig = rig { $0.stall = (index: 3, pause: 25_000_000_000) }
    #expect(rig.sync().outcome == .synced(new: 30))
    rig.expectHeld()
  }

  @Test func b2NothingIsCommittedBeforeTheResponse() {
    var rig = rig { $0.noResponse = true }
    rig.sync()
    #expect(rig.heldCount == 0)
    #expect(rig.keeper.meterMemory.mark == nil)
  }

  @Test func b3OpCodeNotSupportedIsNotNoRecords() {
    var rig = rig { $0.refusesReport = 2 }
    let run = rig.sync()
    #expect(run.outcome == .refused(.opCodeNotSupported))
    #expect(!run.outcome.isComplete)
  }

  @Test func b4ARecordBeforeNoRecordsFoundIsKept() {
    var rig = rig(1) { $0.deniesRecords = true }
    #expect(rig.sync().outcome == .synced(new: 1))
    #expect(rig.notices.contains(.recordsDespiteNone(1)))
    rig.expectHeld()
  }

  @Test(arguments: [255, 256, 257, 600])
  func b5CountersOfEightBitsDoNotMatter(count: Int) {
    var rig = rig(count) { $0.deniesRecords = count % 256 == 0 }
    #expect(rig.sync().outcome == .synced(new: count))
    rig.expectHeld()
  }

  @Test func b6AbortIsWellFormedAndAwaited() {
    var rig = rig(300)
    rig.abortsAfter = 10
    #expect(rig.sync().outcome == .aborted)
    #expect(rig.requests.last == [3, 0])
    #expect(rig.sent.last == [0x1E])
  }

  @Test(arguments: [-5, -1, 1, 7])
  func b7AWrongCountIsAnEstimate(error: Int) {
    var rig = rig { $0.countError = error }
    #expect(rig.sync(CollectorPlan(countFirst: true)).outcome == .synced(new: 30))
    rig.expectHeld()
  }

  @Test func b8ContextsAreNotCounted() {
    var rig = rig()
    let run = rig.sync(CollectorPlan(countFirst: true))
    #expect(run.count == 30)
    #expect(run.received == 30)
    #expect(run.contexts == 10)
    #expect(!rig.notices.contains { if case .countDiffers = $0 { true } else { false } })
  }

  @Test func c1TheHistoryIsNotReadAgainAfterAMeasurement() {
    var rig = rig()
    rig.sync()
    rig.meter.add(1)
    let run = rig.sync()
    // The new record, and the one at the mark to see that the numbers are still the same.
    #expect(run.received == 2)
    #expect(run.stored == 1)
    #expect(run.request == [1, 3, 1, 31, 0])
  }

  @Test func c2TheMarkIsTheHighestNumberAndNeverWraps() {
    var rig = rig { $0.newestFirst = true }
    rig.sync()
    #expect(rig.keeper.meterMemory.mark == 30)
    var meter = ScriptedMeter()
    meter.nextNumber = 65_534
    meter.add(2)
    var last = Rig(meter)
    last.sync()
    last.sync()
    #expect(!last.requests.contains([1, 3, 1, 0, 0]))
    #expect(last.requests.contains([4, 1]))
    last.expectHeld()
  }

  @Test func c3TheSameRecordWithAndWithoutTimeOffsetIsOne() {
    var rig = rig()
    rig.sync(CollectorPlan(selection: .range(11...20)))
    rig.sync(CollectorPlan(selection: .range(5...15)))
    rig.sync(CollectorPlan(selection: .all))
    rig.expectHeld()
    rig.meter.records[7].offset = -120
    #expect(rig.sync(CollectorPlan(selection: .all)).outcome == .synced(new: 1))
    #expect(rig.notices.contains(.conflicting([8])))
  }

  @Test func c4ManySyncsInARowTransferNothing() {
    var rig = rig(200)
    rig.sync()
    for _ in 0..<10 {
      let run = rig.sync()
      #expect(run.outcome == .nothingNew)
      #expect(run.received == 1)
    }
    rig.expectHeld()
  }

  @Test func c5AFilterThatIsNotHonouredStoresNothingTwice() {
    var rig = rig { $0.ignoresFilter = true }
    rig.sync()
    rig.meter.add(3)
    let run = rig.sync()
    #expect(run.outcome == .synced(new: 3))
    #expect(run.alreadyHeld == 30)
    rig.expectHeld()
  }

  @Test func c6RenumberedRecordsDoNotHideTheNewest() {
    var rig = rig(5)
    rig.sync()
    for _ in 0..<3 {
      rig.meter.add(1)
      // The newest is number 0, and all the others move up.
      let count = rig.meter.records.count
      for index in rig.meter.records.indices { rig.meter.records[index].number = UInt16(count - 1 - index) }
      rig.meter.nextNumber = UInt16(count)
      #expect(rig.sync().outcome.isComplete)
      #expect(rig.notices.contains { if case .numberingRestarted = $0 { true } else { false } })
      rig.expectHeld(epoch: rig.keeper.meterMemory.epoch)
    }
  }

  @Test func c7ABogusLastRecordDoesNotStopTheNextSync() {
    var rig = rig(12)
    rig.meter.clock = 2_145_916_800
    rig.meter.add(1)
    rig.meter.faults.countError = -1
    #expect(rig.sync().outcome == .synced(new: 13))
    rig.meter.clock = 1_770_000_000
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.keeper.meterMemory.epoch == 0)
    rig.expectHeld()
  }

  @Test func c8AllAskedForAgainIsHeldAlready() {
    var rig = rig()
    rig.sync()
    let run = rig.sync(CollectorPlan(selection: .all))
    #expect(run.outcome == .nothingNew)
    #expect(run.alreadyHeld == 30)
  }

  @Test func c9TheNewestRecordComesToo() {
    var rig = rig()
    rig.sync()
    #expect(rig.keeper.held[0, default: []].contains { $0.sequenceNumber == 30 })
  }

  @Test func c10SelectionsAreThePersonsChoice() {
    var rig = rig()
    #expect(rig.sync(CollectorPlan(selection: .range(30...30))).outcome == .synced(new: 1))
    #expect(rig.sync(CollectorPlan(selection: .all)).outcome == .synced(new: 29))
    rig.expectHeld()
  }

  @Test func c11AnotherDeviceIsNamedAsSuch() {
    var rig = rig { $0.isAnotherDevice = true }
    #expect(rig.sync().outcome == .notAGlucoseMeter)
    #expect(rig.raised.isEmpty)
  }

  @Test func c12NoValuesIsOnlyAnAnswerOfTheMeter() {
    var rig = rig()
    for cut in 1...20 {
      let run = rig.sync(cut: cut)
      #expect(run.outcome == .linkLost(reason: "0x08"))
    }
    #expect(rig.sync().outcome == .synced(new: 30))
  }
}
