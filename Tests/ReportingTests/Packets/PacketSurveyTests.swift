import CaptureFiles
import LinkTrace
import Scenarios
import Testing

@testable import Reporting

/// Which link had a handle when a frame passed.
@Suite struct PacketSurveyTests {
  /// A capture of so many links that one handle was given to, one after the other.
  private func survey(_ links: Int) throws -> (survey: PacketSurvey, frames: UInt32) {
    let turn: Step = .group([.bondedArrival, .farewell, .later(minutes: 1), .text("between two links")])
    let octets = Scenario("many", [Step](repeating: turn, count: links)).capture()
    var reader = try CaptureReader.open(.memory(octets, name: "many"))
    let survey = PacketSurvey.survey(&reader).survey
    return (survey, UInt32(reader.frameCount))
  }

  @Test func `each frame belongs to the first link that lasted until it`() throws {
    let (survey, frames) = try survey(40)
    let links = survey.links.values.sorted { $0.number < $1.number }
    let first = try #require(links.first)
    #expect(links.count == 40)
    var found = 0
    for frame in 0...(frames + 2) {
      let wanted = links.first { $0.frames.contains(frame) }?.number
      #expect(survey.number(adapter: first.adapter, handle: first.handle, frame: frame) == wanted)
      if wanted != nil { found += 1 }
    }
    #expect(found > 200 && found < Int(frames))
    #expect(survey.number(adapter: first.adapter &+ 1, handle: first.handle, frame: first.frames.lowerBound) == nil)
  }

  @Test func `a late link of a handle is found as fast as an early one`() throws {
    let (survey, frames) = try survey(2000)
    let link = try #require(survey.links[1])
    func cost(_ frame: UInt32) -> Duration {
      ContinuousClock().measure {
        for _ in 0..<200 { _ = survey.number(adapter: link.adapter, handle: link.handle, frame: frame) }
      }
    }
    let early = min(cost(link.frames.lowerBound), cost(link.frames.lowerBound))
    let late = min(cost(frames), cost(frames))
    #expect(late / max(early, .microseconds(1)) < 40)
  }
}
