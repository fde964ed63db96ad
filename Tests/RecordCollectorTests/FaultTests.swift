import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

@Suite struct FaultTests {
  private static let second: UInt64 = 1_000_000_000

  private func rig(_ count: Int = 20, _ change: (inout MeterFaults) -> Void) -> Rig {
    var meter = ScriptedMeter(records: count)
    change(&meter.faults)
    return Rig(meter)
  }

  @Test(arguments: [1, 2, 19, 20])
  func recordsAfterTheResponse(late: Int) {
    var rig = rig { $0.recordsAfterResponse = late }
    #expect(rig.sync().outcome == .synced(new: 20))
    #expect(rig.notices.contains { if case .recordsAfterResponse = $0 { true } else { false } })
    rig.expectHeld()
    rig.meter.add(5)
    #expect(rig.sync().outcome == .synced(new: 5))
    rig.expectHeld()
  }

  @Test func slowRecordsAreWaitedFor() {
    var rig = rig {
      $0.interval = 300_000_000
      $0.stall = (index: 10, pause: 29 * Self.second)
      $0.lateResponse = 5 * Self.second
    }
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.expectHeld()
  }

  @Test func silenceOfThirtySecondsFails() {
    var rig = rig { $0.stall = (index: 10, pause: 31 * Self.second) }
    #expect(rig.sync().outcome == .timedOut(.recordAccess))
    #expect(rig.heldCount == 0)
    #expect(rig.requests == [[1, 1]])
  }

  @Test func noResponseFails() {
    var rig = rig { $0.noResponse = true }
    #expect(rig.sync().outcome == .timedOut(.recordAccess))
    #expect(rig.heldCount == 0)
    rig.meter.faults.noResponse = false
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.expectHeld()
  }

  @Test func wrongAnswerFails() {
    var rig = rig { $0.wrongOpCode = true }
    #expect(rig.sync().outcome == .wrongAnswer([6, 0, 4, 1]))
    #expect(rig.heldCount == 0)
  }

  @Test func unansweredWriteStillEndsWithItsResponse() {
    var rig = rig { $0.noWriteResponse = true }
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.expectHeld()
  }

  /// What is asked for beside the transfer comes twice because we asked twice.
  @Test func ownQuestionsAreNoDuplicates() {
    var rig = rig { $0.lostContexts = [3, 9] }
    rig.sync()
    #expect(rig.requests.count > 1)
    #expect(!rig.notices.contains { if case .duplicates = $0 { true } else { false } })
  }

  /// The record of a check that comes after its answer was asked for, and is none of the transfer's.
  @Test func aLateRecordOfACheckIsTheChecks() {
    var rig = rig { _ in }
    rig.sync()
    rig.meter.add(5)
    rig.meter.faults.recordsAfterResponse = 1
    rig.notices = []
    #expect(rig.sync().outcome == .synced(new: 5))
    #expect(!rig.notices.contains { if case .filterIgnored = $0 { true } else { false } }, "\(rig.notices)")
    rig.expectHeld()
  }

  @Test func aMeasurementThatEndsInTheMiddleIsNamed() {
    var rig = rig { $0.shortened = [7] }
    #expect(rig.sync().outcome == .synced(new: 20))
    #expect(rig.notices.contains(.shortRecords([7])))
  }

  @Test func duplicatesAreStoredOnce() {
    var rig = rig { $0.duplicates = true }
    #expect(rig.sync().outcome == .synced(new: 20))
    #expect(rig.notices.contains(.duplicates(5)))
    rig.expectHeld()
  }

  @Test func busyMeterIsAskedAgain() {
    var rig = rig { $0.busy = 3 }
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.meter.faults.serverBusy = 2
    rig.meter.add(1)
    #expect(rig.sync().outcome == .synced(new: 1))
    rig.expectHeld()
    rig.meter.faults.busy = 1000
    #expect(rig.sync().outcome == .busy)
    #expect(rig.meter.faults.busy == 985)
  }

  @Test func skippedNumbersAreAskedForAgain() {
    var rig = rig { $0.skipped = [1, 7, 8, 20] }
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.expectHeld()
    rig.meter.add(6)
    rig.meter.faults.skipped = [21, 24]
    #expect(rig.sync().outcome == .synced(new: 6))
    rig.expectHeld()
  }

  @Test func lostContextIsAskedForOnceAndKeptAsAFact() {
    var rig = rig { $0.lostContexts = [3, 9] }
    #expect(rig.sync().outcome == .synced(new: 20))
    #expect(rig.requests.suffix(2) == [[1, 4, 1, 3, 0, 3, 0], [1, 4, 1, 9, 0, 9, 0]])
    rig.expectHeld()
    rig.meter.add(4)
    rig.meter.faults.noContexts = true
    #expect(rig.sync().outcome == .synced(new: 4))
    let missing = rig.keeper.held[0, default: []].filter(\.contextIsMissing).map(\.sequenceNumber)
    #expect(missing == [21, 24])
    #expect(rig.notices.contains(.contextsMissing([21, 24])))
  }

  @Test func orphanContextBringsItsRecord() {
    var rig = rig { $0.orphans = [6] }
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.expectHeld()
  }

  @Test func orderOfArrivalDoesNotMatter() {
    var rig = rig {
      $0.newestFirst = true
      $0.contextFirst = true
    }
    #expect(rig.sync().outcome == .synced(new: 20))
    #expect(rig.keeper.meterMemory.mark == 20)
    rig.expectHeld()
  }

  @Test(arguments: [2, 4, 9] as [UInt8])
  func unsupportedFilterFallsBackOnceAndIsRemembered(code: UInt8) {
    var rig = rig { $0.refusesAtLeast = code }
    rig.sync()
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.requests.dropFirst(2).prefix(2) == [[1, 3, 1, 21, 0], [1, 1]])
    rig.expectHeld()
    let before = rig.requests.count
    rig.meter.add(1)
    #expect(rig.sync().outcome == .synced(new: 1))
    #expect(rig.requests[before] == [1, 1])
    rig.expectHeld()
  }

  @Test(arguments: [2, 4, 9] as [UInt8])
  func meterWithTheMandatoryRequestsAlone(code: UInt8) {
    var rig = rig {
      $0.refusesRange = code
      $0.refusesLast = code
      $0.refusesDelete = code
    }
    rig.sync()
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.sync(CollectorPlan(deleteAfterSync: true)).outcome == .nothingNew)
    rig.meter.records = []
    rig.meter.nextNumber = 1
    rig.meter.add(50)
    #expect(rig.sync(CollectorPlan(deleteAfterSync: true)).outcome == .synced(new: 50))
    #expect(rig.meter.records.count == 50)
    rig.expectHeld(epoch: 1)
  }

  @Test(arguments: [2, 3, 4, 5, 7, 8, 9, 10, 0, 0x55] as [UInt8])
  func everyCodeHasItsOutcome(code: UInt8) {
    var rig = rig { $0.refusesReport = code }
    #expect(rig.sync().outcome == .refused(RecordAccessResponseValue(code)))
    #expect(rig.heldCount == 0)
    rig.meter.faults.refusesReport = nil
    #expect(rig.sync().outcome == .synced(new: 20))
  }

  @Test func ignoredFilterStoresNothingTwice() {
    var rig = rig { $0.ignoresFilter = true }
    rig.sync()
    rig.meter.add(1)
    #expect(rig.sync().outcome == .synced(new: 1))
    #expect(rig.notices.contains { if case .filterIgnored = $0 { true } else { false } })
    rig.expectHeld()
  }

  @Test func recordsBeforeNoneFoundAreRecords() {
    var rig = rig { $0.deniesRecords = true }
    #expect(rig.sync().outcome == .synced(new: 20))
    rig.expectHeld()
  }

  @Test func forgottenSubscriptionsAreWrittenAgainOnce() {
    var rig = rig { $0.forgetsSubscriptions = 1 }
    #expect(rig.sync().outcome == .synced(new: 20))
    #expect(rig.notices.contains(.subscriptionsRewritten))
    rig.meter.faults.forgetsSubscriptions = 2
    guard case .attributeError(let error, _, _) = rig.sync().outcome else {
      Issue.record("0x81 twice must fail")
      return
    }
    #expect(error.rawValue == 0x81)
  }

  @Test func malformedDeleteResponseLosesNothing() {
    var rig = rig { $0.malformedDeleteResponse = true }
    let all = rig.meter.records
    #expect(rig.sync(CollectorPlan(deleteAfterSync: true)).outcome == .synced(new: 20))
    #expect(rig.notices.contains(.deletionNotDone("no answer")))
    rig.expectHeld(all)
  }

  @Test func changedRecordIsKeptBesideTheFirst() {
    var rig = rig { _ in }
    rig.sync()
    rig.meter.records[4].concentration = 333
    let run = rig.sync(CollectorPlan(selection: .all))
    #expect(run.outcome == .synced(new: 1))
    #expect(run.alreadyHeld == 19)
    #expect(rig.notices.contains(.conflicting([5])))
    #expect(rig.keeper.held[0, default: []].filter { $0.sequenceNumber == 5 }.count == 2)
    #expect(rig.sync(CollectorPlan(selection: .all)).outcome == .nothingNew)
  }
}
