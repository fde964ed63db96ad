import HealthProfiles
import Scenarios
import Testing

/// Records that a sensor indicates where it should notify are records all the same.
@Suite struct IndicatedRecordsTests {
  private static let capture: [UInt8] = {
    var steps: [Step] = [.firstArrival, .ask(answer: 3), .report(.all), .accept]
    for number in 1...3 as ClosedRange<UInt16> {
      steps.append(.indicate(.measurement, Meter().measurement(number).octets))
      steps.append(.confirm)
    }
    steps += [.result(.report, .success), .confirm, .farewell]
    return Scenario("indicated", steps).capture()
  }()

  @Test func theStoryCountsThem() throws {
    let story = try StoryText.of(Self.capture)
    #expect(story.contains("3 records"))
    #expect(story.contains("sequence 1–3 complete"))
    #expect(!story.contains("none came over") && !story.contains("did not come over"))
    #expect(!story.contains("RACP-008"))
  }

  @Test func theRecordsAreOfTheirProcedure() throws {
    let csv = try ScenarioRecords(Self.capture)
    #expect(csv.column("sequence") == ["1", "2", "3"])
    #expect(csv.column("procedure") == ["2", "2", "2"])
    #expect(csv.column("complete") == ["true", "true", "true"])
  }
}
