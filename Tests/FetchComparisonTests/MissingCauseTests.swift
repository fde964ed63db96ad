import FetchComparison
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// Why a side lacks what the other one holds.
@Suite struct MissingCauseTests {
  /// Against a reference that was fetched a day later.
  private func lacks(_ scenario: Scenario, _ rendering: Rendering = Rendering()) throws -> [String] {
    ComparedFetches(try ScenarioSide.of(scenario, rendering), ScenarioSide.rows(1...30)).lacks
  }

  private func lacks(_ steps: [Step]) throws -> [String] { try lacks(Scenario("steps", steps)) }

  @Test func askedPastABrokenReport() throws {
    #expect(try lacks(.partialThenSkip()) == ["skipped 13-30"])
  }

  @Test func resumedAtTheRightNumber() throws {
    #expect(try lacks(.linkLossResume()) == [])
  }

  @Test func deletedBeforeItCame() throws {
    #expect(try lacks(.deleteBeforeCommit()) == ["deleted 9-30"])
  }

  @Test func neverAskedAgain() throws {
    #expect(try lacks(.sensorHangsUp()) == ["unfinished 13-30"])
  }

  @Test func refused() throws {
    #expect(try lacks(.missingSubscription()) == ["refused 1-30"])
  }

  @Test func leftOutOfAReport() throws {
    #expect(try lacks(.skippedNumber()) == ["leftOut 7-7"])
  }

  @Test func theLastOneLeftOutAgainstTheCount() throws {
    let counted: [Step] = [.adapterAppears, .firstArrival, .ask(answer: 30), .fetch(.all, 1...29), .farewell]
    #expect(try lacks(counted) == ["leftOut 30-30"])
    let uncounted: [Step] = [.adapterAppears, .firstArrival, .fetch(.all, 1...29), .farewell]
    #expect(try lacks(uncounted) == ["measuredLater 30-30"])
  }

  @Test func whatTheOtherSideHadBeforeWasNotMeasuredLater() throws {
    let early = try ScenarioSide.of(.firstSync())
    let late = try ScenarioSide.of(
      Scenario(
        "late",
        start: 1_772_697_600_000_000,
        [.adapterAppears, .firstArrival, .fetch(.all, 1...29), .farewell]
      )
    )
    #expect(ComparedFetches(late, early).lacks == ["leftOut 30-30"])
  }

  @Test func beforeTheFirstRequest() throws {
    #expect(try lacks(.incrementalSync()) == ["beforeFirstRequest 1-30"])
    #expect(try lacks(.noRecords()) == ["beforeFirstRequest 1-30"])
  }

  @Test func onlySomeWereAskedFor() throws {
    let steps: [Step] = [.adapterAppears, .firstArrival, .fetch(.within(1, 10), 1...10), .farewell]
    #expect(try lacks(steps) == ["notRequested 11-30"])
  }

  @Test func nothingAskedFor() throws {
    #expect(try lacks([.adapterAppears, .firstArrival, .farewell]) == ["nothingRequested 1-30"])
  }

  @Test func lostPacketsAccuseNobody() throws {
    let steps: [Step] = [
      .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...6), .lose(1), .records(8...30),
      .result(.report, .success), .confirm, .farewell,
    ]
    #expect(try lacks(steps) == ["notCaptured 7-7"])
  }

  @Test func theCaptureStopsEarly() throws {
    let whole = Scenario.firstSync().frames()
    let lacks = try lacks(.firstSync(), keeping(whole.count - 20))
    #expect(!lacks.isEmpty && lacks.allSatisfy { $0.hasPrefix("notCaptured") })
  }

  private func keeping(_ count: Int) -> Rendering {
    var rendering = Rendering()
    rendering.keepFirst = count
    return rendering
  }

  @Test func aStoreThatLacksAReading() throws {
    let fetches = ComparedFetches(ScenarioSide.rows(1...28), try ScenarioSide.of(.firstSync()))
    #expect(fetches.lacks == ["notStored 29-30"])
  }
}
