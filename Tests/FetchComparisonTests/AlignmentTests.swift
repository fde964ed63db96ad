import BluetoothWire
import FetchComparison
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// Records of two sides beside each other.
@Suite struct AlignmentTests {
  @Test func aFetchIsEqualToItself() throws {
    let side = try ScenarioSide.of(.firstSync())
    let fetches = ComparedFetches(side, side)
    let device = try #require(fetches.device)
    #expect(device.alignment.common == 30)
    #expect(device.alignment.changeCount == 0)
    #expect(device.alignment.onlyFirst.isEmpty && device.alignment.onlySecond.isEmpty)
    #expect(device.alignment.first.unfinishedCount == 0)
    #expect(device.parting == nil)
    #expect(side.devices[0].contexts.count == 7)
  }

  @Test func bothEndsOfALinkTellTheSame() throws {
    for scenario in [Scenario.firstSync(), .linkLossResume(), .silence(), .fullRefetch(), .overlapAccepted()] {
      let collector = try ScenarioSide.of(scenario)
      let sensor = try ScenarioSide.of(scenario, Rendering(side: .sensor))
      let fetches = ComparedFetches(collector, sensor)
      let device = try #require(fetches.device, "\(scenario.name)")
      #expect(device.alignment.changeCount == 0, "\(scenario.name)")
      #expect(device.alignment.onlyFirst.isEmpty && device.alignment.onlySecond.isEmpty, "\(scenario.name)")
      #expect(device.alignment.first.repetitions.count == device.alignment.second.repetitions.count)
      #expect(device.parting == nil, "\(scenario.name): \(String(describing: device.parting))")
    }
  }

  @Test func rowsOfAStoreAlignWithPackets() throws {
    let fetches = ComparedFetches(try ScenarioSide.of(.firstSync()), ScenarioSide.rows(1...32))
    let device = try #require(fetches.device)
    #expect(device.alignment.common == 30)
    #expect(device.alignment.changeCount == 0)
    #expect(device.alignment.onlySecond.count == 2)
    #expect(fetches.missingFromFirst == 2)
  }

  @Test func twiceInOneReportIsNotFetchedAgain() throws {
    let within = ComparedFetches(try ScenarioSide.of(.duplicateRecords()), try ScenarioSide.of(.firstSync()))
    let repetitions = try #require(within.device).alignment.first.repetitions
    #expect(repetitions.withinProcedure == 6)
    #expect(repetitions.onLaterLink == 0 && repetitions.onSameLink == 0)
    #expect(repetitions.numbersWithinProcedure.ranges == [10...15])
    let again = ComparedFetches(try ScenarioSide.of(.fullRefetch()), try ScenarioSide.of(.firstSync()))
    let later = try #require(again.device).alignment.first.repetitions
    #expect(later.withinProcedure == 0)
    #expect(later.onLaterLink == 60)
    #expect(later.most == 3)
  }

  @Test func askedForAgainOnOneLink() throws {
    let side = try ScenarioSide.steps([
      .adapterAppears, .firstArrival, .fetch(.all, 1...5), .fetch(.all, 1...5), .farewell,
    ])
    let repetitions = try #require(ComparedFetches(side, side).device).alignment.second.repetitions
    #expect(repetitions.onSameLink == 5)
    #expect(repetitions.withinProcedure == 0 && repetitions.onLaterLink == 0)
  }

  @Test func anUnfinishedReportCompletesNothing() throws {
    let device = try #require(
      ComparedFetches(try ScenarioSide.of(.silence()), try ScenarioSide.of(.firstSync())).device
    )
    #expect(device.alignment.common == 30)
    #expect(device.alignment.first.unfinishedCount == 30)
    #expect(device.alignment.first.unfinished.ranges == [1...30])
    #expect(device.alignment.second.unfinishedCount == 0)
    #expect(device.missingFromFirst.isEmpty)
  }

  @Test func aChangedFieldIsNamed() throws {
    let meter = Meter()
    var changed = meter.measurement(3)
    changed.sample?.location = .earlobe
    changed.sample?.concentration = MedicalFloat16(word: 0xB07B)
    var context = meter.context(4)
    context.meal = Meal(rawValue: 3)
    context.hemoglobinA1c = MedicalFloat16(word: 0xF03C)
    let side = try ScenarioSide.steps([
      .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...2), .measurement(changed),
      .measurement(meter.measurement(4)), .context(context), .record(5), .result(.report, .success), .confirm,
      .farewell,
    ])
    let device = try #require(ComparedFetches(side, ScenarioSide.rows(1...5)).device)
    #expect(device.alignment.changeCount == 2)
    #expect(device.alignment.changes.map(\.fields.fields) == [[.concentration, .location], [.meal, .hemoglobinA1c]])
  }

  @Test func aMissingContextIsADifference() throws {
    let side = try ScenarioSide.steps([
      .adapterAppears, .firstArrival, .report(.all), .accept, .record(1), .record(2), .record(3),
      .record(4, withContext: false), .result(.report, .success), .confirm, .farewell,
    ])
    let device = try #require(ComparedFetches(side, ScenarioSide.rows(1...4)).device)
    #expect(device.alignment.changes.map(\.fields.fields) == [[.context]])
  }

  @Test func anOffsetThatIsLeftOutIsTheLastOne() throws {
    var meter = Meter()
    meter.timeOffset = 60
    let side = try ScenarioSide.of(Scenario("offset", meter: meter, Scenario.firstSync().steps))
    let device = try #require(ComparedFetches(side, ScenarioSide.rows(1...30, of: meter)).device)
    #expect(device.alignment.changeCount == 0)
    var other = meter
    other.timeOffset = 120
    let moved = try #require(ComparedFetches(side, ScenarioSide.rows(1...30, of: other)).device)
    #expect(moved.alignment.changeCount == 30)
    #expect(moved.alignment.changes[0].fields.fields == [.timeOffset])
  }

  @Test func anotherBaseTimeIsAnotherRecord() throws {
    var reset = Meter()
    reset.firstBaseTime += 86_400
    let device = try #require(
      ComparedFetches(ScenarioSide.rows(1...10), ScenarioSide.rows(1...10, of: reset)).device
    )
    #expect(device.alignment.common == 0)
    #expect(device.alignment.onlyFirst.count == 10 && device.alignment.onlySecond.count == 10)
    #expect(device.alignment.renumbered == 10)
  }

  @Test func cutValuesDifferFromNothing() throws {
    for clip in Clip.allCases {
      let cut = try ScenarioSide.of(.firstSync(), Rendering(clip: clip))
      let fetches = ComparedFetches(cut, try ScenarioSide.of(.firstSync()))
      for device in fetches.devices {
        #expect(device.alignment.changeCount == 0, "\(clip)")
        #expect(device.missingFromFirst.allSatisfy { !$0.cause.isCertain || device.first == nil }, "\(clip)")
      }
    }
  }

  @Test func twoMetersAlignOnlyWhereTheIdentityIsIgnored() throws {
    let steps = Scenario.firstSync().steps
    let first = Scenario("one", meter: Meter(number: 1), steps)
    let second = Scenario("two", meter: Meter(number: 2), steps)
    let apart = ComparedFetches(try ScenarioSide.of(first), try ScenarioSide.of(second))
    #expect(apart.devices.count == 2)
    #expect(apart.alignsNothing)
    #expect(apart.devices[1].missingFromFirst.map(\.cause) == [.noLink])
    let together = ComparedFetches(
      try ScenarioSide.of(first, ignoringIdentity: true),
      try ScenarioSide.of(second, ignoringIdentity: true),
      ignoringIdentity: true
    )
    let device = try #require(together.device)
    #expect(device.alignment.common == 30)
    #expect(device.alignment.changes.allSatisfy { $0.fields.fields == [.concentration] })
  }

  @Test func aLinkMetInItsMiddleIsTakenForTheOnlyDevice() throws {
    let fetches = ComparedFetches(try ScenarioSide.of(.midConnectionStart()), try ScenarioSide.of(.firstSync()))
    let device = try #require(fetches.device)
    #expect(device.alignment.common == 26)
    #expect(fetches.first.devices[0].isAssumed)
    #expect(device.missingFromFirst.allSatisfy { !$0.cause.isCertain })
    #expect(fetches.missingFromFirst == 4)
  }

  @Test func nothingOnEitherSide() throws {
    let side = try ScenarioSide.of(.noRecords())
    #expect(!ComparedFetches(side, side).hasRecords)
    #expect(!ComparedFetches(ComparedSide(), ComparedSide()).hasRecords)
  }

  @Test func rowsThatAreNoMeasurementAreRefused() {
    var side = ComparedSide()
    let octets: [UInt8] = [0x02, 0x01, 0x00]
    let isTaken = side.take(measurement: octets.span.bytes, contexts: [], offset: nil, of: Meter().address, name: nil)
    #expect(!isTaken)
    #expect(side.recordCount == 0)
  }
}
