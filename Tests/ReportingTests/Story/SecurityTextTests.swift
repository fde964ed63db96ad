import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

/// What the story says of the parameters and the encryption of a link.
@Suite struct SecurityTextTests {
  private static func story(_ middle: [Step], _ rendering: Rendering = Rendering()) throws -> String {
    try StoryText.of(
      Scenario("security", [.firstArrival, .fetch(.all, 1...3)] + middle + [.wait(milliseconds: 400), .disconnect()])
        .capture(rendering)
    )
  }

  @Test func allThatAnUpdateChangesIsTold() throws {
    let story = try Self.story([
      .updateParameters(interval: 24, latency: 30, supervisionTimeout: 600),
      .updateParameters(interval: 12, latency: 30, supervisionTimeout: 600),
    ])
    let parameters = story.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(parameters.contains("timeout 2.00 s; then 30 ms, latency 30, timeout 6.00 s; then 15 ms security"))
  }

  @Test func encryptionThatIsSwitchedOffIsTold() throws {
    // Encryption Change: off; Encryption Key Refresh Complete (Core Vol 4 Part E 7.7.8, 7.7.39).
    let story = try Self.story([
      .event([0x30, 0x03, 0x00, 0x40, 0x00]), .event([0x08, 0x04, 0x00, 0x40, 0x00, 0x00]),
    ])
    #expect(story.contains("switched off +"))
    #expect(story.contains("key refreshed #"))
  }

  @Test func theKeySizeOfTheControllerCounts() throws {
    // Encryption Change v2 with seven octets.
    let story = try Self.story([.event([0x59, 0x05, 0x00, 0x40, 0x00, 0x01, 0x07])])
    #expect(story.contains("7-octet key") && !story.contains("16-octet key"))
  }

  /// Android's filtered log keeps headers alone: nothing is denied that it does not show.
  @Test func whatTheLoggerEmptiedIsNotDenied() throws {
    var rendering = Rendering()
    rendering.format = .btsnoop(.uart)
    rendering.clip = .channels
    let story = try Self.story([], rendering)
    #expect(story.contains("with what key was cut by the logger"))
    #expect(story.contains("subscribed  not known: the logger cut the attribute packets"))
    #expect(story.contains("records     not known: the logger cut the attribute packets"))
    for denial in ["none came over", "stored key", "subscribed  nothing"] { #expect(!story.contains(denial)) }
  }
}
