import HealthProfiles
import Scenarios
import Testing

@testable import Reporting

/// A procedure without a result is told of with what took it from the capture.
@Suite struct UnfinishedProcedureTests {
  private static func story(_ end: [Step], _ side: Party) throws -> String {
    let steps: [Step] = [.firstArrival, .report(.all), .accept, .records(1...3)] + end
    return try StoryText.of(Scenario("unfinished", steps).capture(Rendering(side: side)))
  }

  @Test(arguments: Party.allCases)
  func aResetIsNoEndOfTheCapture(side: Party) throws {
    let back: [Step] = [.later(minutes: 1), .bondedArrival, .fetch(.atLeast(4), 4...6), .farewell]
    let text = try Self.story([.controllerReset] + back, side)
    #expect(text.contains("the controller was reset before its result"))
    #expect(!text.contains("the capture ends"))
  }

  @Test(arguments: Party.allCases)
  func theEndOfTheCaptureIsOne(side: Party) throws {
    #expect(try Self.story([], side).contains("the capture ends before its result"))
  }
}
