import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

@testable import Reporting

/// What is told of captures that show a part alone: cut by the logger, or of one direction.
@Suite struct ClippedTextTests {
  private static let reconnection = Scenario(
    "reconnection",
    [.bondedArrival, .ask(.atLeast(31), answer: 5), .fetch(.atLeast(31), 31...35), .farewell]
  )

  private static func story(_ clip: Clip, _ scenario: Scenario = reconnection) throws -> String {
    var rendering = Rendering()
    rendering.clip = clip
    return try StoryText.of(scenario.capture(rendering))
  }

  @Test func `a request that the logger cut is not called malformed`() throws {
    for clip in Clip.allCases { #expect(!(try Self.story(clip)).contains("malformed"), "\(clip)") }
    let story = try Self.story(.ring)
    #expect(story.contains("count, cut by the logger"))
    #expect(story.contains("what is left of it: 04 03 01"))
  }

  @Test func `what is cut or of the other direction is not known`() throws {
    for clip in Clip.allCases {
      let story = try Self.story(clip, Scenario.firstSync())
      #expect(!story.contains("none came over"), "\(clip)")
      #expect(!story.contains("subscribed  nothing"), "\(clip)")
    }
  }

  @Test func `one direction alone leaves the other unknown`() throws {
    func story(without kind: FrameKind) throws -> String {
      let frames = Scenario.firstSync().frames().filter { $0.kind != kind }
      var writer = CaptureWriter(format: .btsnoop(.monitor))
      for frame in frames {
        writer.write(kind: frame.kind, adapter: frame.adapter, time: frame.time, octets: frame.octets)
      }
      return try StoryText.of(writer.finish())
    }
    let sent = try story(without: .aclReceived)
    #expect(sent.contains("records     not known: only what this host sent is in the capture"))
    let received = try story(without: .aclSent)
    #expect(!received.contains("nothing was requested"))
    #expect(received.contains("racp        not known: only what this host received is in the capture"))
  }
}
