import HealthProfiles
import Scenarios
import Testing

/// A sensor whose numbers begin anew: its records are not taken for those before.
@Suite struct RestartedNumbersTests {
  /// A meter that numbers from 1 again, its records newer than the first thirty and with other values.
  private static let restarted: Meter = {
    var meter = Meter()
    meter.firstBaseTime += 60 * 360 * 60
    meter.seed = 7
    return meter
  }()

  private func story(_ steps: [Step]) throws -> String {
    let text = try StoryText.of(Scenario("restarted", steps).capture())
    // As one line, wherever it is wrapped.
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func theSceneOfTheCatalogue() throws {
    let story = try StoryText.of("counter-restarted").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(story.contains("records 34, 8 contexts, sequence 1–30 complete, then again 0–3 complete:"))
    #expect(story.contains(": the numbers restarted base time"))
    #expect(!story.contains("sequence 0–30"))
  }

  @Test func onALaterLink() throws {
    let told = try story([
      .firstArrival, .fetch(.all, 1...30), .farewell, .later(minutes: 60), .bondedArrival, .selectMeter(Self.restarted),
      .fetch(.all, 1...5), .farewell,
    ])
    #expect(told.contains("sequence 1–30 complete, then again 1–5 complete: the numbers restarted"))
    #expect(!told.contains("different numbers"))
    #expect(!told.contains("changed"))
  }

  @Test func withinOneReport() throws {
    let told = try story([
      .firstArrival, .report(.all), .accept, .records(1...9), .selectMeter(Self.restarted), .records(1...4),
      .result(.report, .success), .confirm, .farewell,
    ])
    #expect(told.contains("sequence 1–9, then 1–4: the numbers restarted"))
    #expect(told.contains("records 13, 3 contexts, sequence 1–9 complete, then again 1–4 complete:"))
    #expect(!told.contains("a lower number after a higher one"))
    #expect(!told.contains("delivered, 9 different"))
  }

  @Test func numbersThatRollOver() throws {
    var wrapped = Self.restarted
    wrapped.firstSequenceNumber = 0
    wrapped.firstBaseTime = Meter().firstBaseTime + 65_536 * 60 * Int64(Meter().minutesApart)
    let told = try story([
      .firstArrival, .report(.all), .accept, .records(65_533...65_535), .selectMeter(wrapped), .records(0...2),
      .result(.report, .success), .confirm, .farewell,
    ])
    #expect(told.contains("sequence 65533–65535, then 0–2: after 65535 the numbers began at 0 again"))
    #expect(!told.contains("restarted"))
  }

  @Test func bothMemoriesComeAgain() throws {
    let both: [Step] = [
      .report(.all), .accept, .selectMeter(Meter()), .records(1...9), .selectMeter(Self.restarted), .records(1...4),
      .result(.report, .success), .confirm,
    ]
    let told = try story([.firstArrival, .group(both), .group(both), .farewell])
    #expect(told.contains("26 delivered, 13 different ones"))
    #expect(told.contains("sequence 1–9 complete, then again 1–4 complete: the numbers restarted"))
  }

  @Test func numbersThatDoNotOverlap() throws {
    let told = try story([
      .firstArrival, .fetch(.atLeast(20), 20...30), .farewell, .later(minutes: 60), .bondedArrival,
      .selectMeter(Self.restarted), .fetch(.all, 1...5), .farewell,
    ])
    #expect(told.contains("sequence 20–30 complete, then 1–5 complete: the numbers restarted"))
    #expect(!told.contains("not seen"))
  }

  @Test(arguments: ["full-refetch", "duplicate-records", "clock-change", "wrap-65535", "link-loss-resume"])
  func nothingRestartsWhereRecordsComeAgain(name: String) throws {
    let story = try StoryText.of(name)
    #expect(!story.contains("restarted"))
    #expect(!story.contains("another time or value"))
  }

  @Test func recordsInDescendingOrder() throws {
    let numbers = (1...9).reversed().map { Step.record(UInt16($0)) }
    let told = try story([
      .firstArrival, .report(.all), .accept, .group(numbers), .result(.report, .success), .confirm, .farewell,
    ])
    #expect(told.contains("8 times a lower number after a higher one"))
    #expect(!told.contains("restarted"))
  }

  /// The same readings with other base times: the clock was set and the meter rewrote them.
  @Test func recordsWithAnotherTime() throws {
    var moved = Meter()
    moved.firstBaseTime += 60 * 360 * 60
    let told = try story([
      .firstArrival, .fetch(.all, 1...9), .farewell, .later(minutes: 60), .bondedArrival, .selectMeter(moved),
      .fetch(.all, 1...9), .farewell,
    ])
    #expect(!told.contains("restarted"))
    #expect(told.contains("18 delivered, 9 different numbers"))
    #expect(told.contains("changed number 1 came again with another time or value"))
  }

  @Test func recordsThatCameLateAreNoNewBeginning() throws {
    let told = try story([
      .firstArrival, .report(.all), .accept, .records(1...8), .result(.report, .success), .confirm, .record(9),
      .fetch(.atLeast(9), 9...10), .farewell,
    ])
    #expect(!told.contains("restarted"))
    #expect(told.contains("sequence 1–10"))
  }

  @Test func whatWasLeftOpenBefore() throws {
    let told = try story([
      .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .linkLoss, .later(minutes: 60),
      .bondedArrival, .selectMeter(Self.restarted), .fetchNothing(.atLeast(31)), .fetch(.all, 1...5), .farewell,
    ])
    #expect(told.contains("missing 13–30 were never asked for before the numbers restarted"))
    #expect(told.contains("sequence 1–12 without a gap between them, then again 1–5 complete: the numbers restarted"))
    #expect(!told.contains("stored, of which"))
  }

  @Test func anUnfinishedReportBefore() throws {
    let told = try story([
      .firstArrival, .report(.all), .accept, .records(1...12), .linkLoss, .later(minutes: 60), .bondedArrival,
      .selectMeter(Self.restarted), .ask(answer: 5), .fetch(.all, 1...4), .farewell,
    ])
    #expect(told.contains("missing unknown: the numbers restarted after a report that had not come to its end"))
    #expect(told.contains("counted 5 counted, 4 delivered"))
  }
}
