import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// A range brings what is in it, and asks for nothing else but the record at the mark.
@Suite struct RangeTests {
  private func plan(_ range: ClosedRange<UInt16>) -> CollectorPlan { CollectorPlan(selection: .range(range)) }

  private func isFilterNotice(_ notice: CollectorNotice) -> Bool {
    if case .filterIgnored = notice { true } else { false }
  }

  @Test func anEmptyAnswerEndsTheRun() {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.sync()
    rig.meter.records.removeAll { $0.number == 5 || $0.number == 6 }
    rig.meter.add(2)
    let before = rig.requests.count
    #expect(rig.sync(plan(5...6)).outcome == .nothingNew)
    #expect(rig.requests.dropFirst(before) == [[1, 4, 1, 5, 0, 6, 0]])
    #expect(!rig.notices.contains(where: isFilterNotice))
    #expect(rig.keeper.meterMemory.mark == 10)
    #expect(rig.sync().outcome == .synced(new: 2))
  }

  @Test func theRecordAtTheMarkTellsTheEpoch() {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.sync()
    rig.meter.add(5)
    let before = rig.requests.count
    #expect(rig.sync(plan(12...13)).outcome == .synced(new: 2))
    #expect(rig.requests.dropFirst(before) == [[1, 4, 1, 12, 0, 13, 0], [1, 4, 1, 10, 0, 10, 0]])
    #expect(!rig.notices.contains(where: isFilterNotice))
    #expect(rig.keeper.meterMemory.mark == 10)
    #expect(rig.sync().outcome == .synced(new: 3))
    rig.expectHeld()
  }

  /// Records below the mark that were never held: no request for everything.
  @Test func recordsThatWereLeftOutBeforeComeAlone() {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.sync()
    rig.keeper.held[0]?.removeAll { $0.sequenceNumber == 4 || $0.sequenceNumber == 7 }
    let before = rig.requests.count
    #expect(rig.sync(plan(4...4)).outcome == .synced(new: 1))
    #expect(rig.requests.dropFirst(before) == [[1, 4, 1, 4, 0, 4, 0], [1, 4, 1, 10, 0, 10, 0]])
    #expect(rig.heldCount == 9)
    #expect(rig.keeper.meterMemory.mark == 10)
  }

  /// The mark goes up to the first number that did not come.
  @Test func theMarkStopsAtAGap() {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.sync()
    rig.meter.add(6)
    rig.meter.records.removeAll { $0.number == 13 }
    #expect(rig.sync(plan(11...15)).outcome == .synced(new: 4))
    #expect(rig.keeper.meterMemory.mark == 12)
    #expect(rig.sync().outcome == .synced(new: 1))
    rig.expectHeld(rig.meter.records)
  }

  /// A numbering that began anew opens an epoch with the records of the range alone.
  @Test(arguments: [5, 30])
  func aRestartedNumberingIsSeen(count: Int) {
    var rig = Rig(ScriptedMeter(records: 10))
    rig.sync()
    rig.meter.records = []
    rig.meter.nextNumber = 1
    rig.meter.add(count)
    let range: ClosedRange<UInt16> = count == 5 ? 2...3 : 20...21
    let before = rig.requests.count
    #expect(rig.sync(plan(range)).outcome == .synced(new: 2))
    #expect(rig.requests.count - before <= 2)
    #expect(!rig.requests.dropFirst(before).contains([1, 1]))
    #expect(rig.keeper.meterMemory.epoch == 1)
    #expect(rig.keeper.meterMemory.mark == nil)
    #expect(rig.sync().outcome == .synced(new: count - 2))
    rig.expectHeld(epoch: 1)
  }
}
