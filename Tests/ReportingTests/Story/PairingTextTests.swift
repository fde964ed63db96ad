import CaptureFiles
import Foundation
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

@testable import Reporting

/// The story says what a pairing asked for and what came of it, and speaks of a key or a bond only where there is one.
@Suite struct PairingTextTests {
  /// Neither display nor keyboard, bonding, Secure Connections.
  private static let request: Step = .security(from: .collector, [0x01, 3, 0, 9, 16, 0, 0])
  private static let response: Step = .security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 0])
  private static func values(_ codes: [UInt8]) -> [Step] {
    codes.flatMap { code in
      [Party.collector, .sensor].map { party in
        Step.security(from: party, [code] + [UInt8](repeating: 7, count: code == 0x0C ? 64 : 16))
      }
    }
  }

  /// Text with single blanks, as far as it tells of security.
  private static func security(_ steps: [Step], cut count: Int? = nil, side: Party = .collector) throws -> String {
    var rendering = Rendering()
    rendering.side = side
    var frames = Scenario("pairing", steps).frames(rendering)
    if let count { frames = Array(frames.dropFirst(count)) }
    var writer = CaptureWriter(format: .btsnoop(.monitor))
    for frame in frames {
      writer.write(kind: frame.kind, adapter: frame.adapter, time: frame.time, octets: frame.octets)
    }
    let story = try StoryText.of(writer.finish()).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let start = try #require(story.range(of: " security "))
    let end = story.range(of: " attributes ", range: start.upperBound..<story.endIndex)?.lowerBound ?? story.endIndex
    return String(story[start.upperBound..<end])
  }

  private static func expectNoBond(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for claim in ["bonded", "octet key", "stored key"] {
      #expect(!text.contains(claim), "\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test func aLinkThatEndsInTheMiddle() throws {
    let steps = [.arrival, Self.request, Self.response] + Self.values([0x0C, 0x04])
    let left = try Self.security(steps + [.disconnect()])
    Self.expectNoBond(left)
    #expect(
      left.hasPrefix("not encrypted asked for LE Secure Connections, Just Works, bonding IO no input no output / ")
    )
    #expect(left.contains("pairing broken off after") && left.contains("this host ended the link #"))
    let lost = try Self.security(steps + [.linkLoss])
    Self.expectNoBond(lost)
    #expect(lost.contains("the link was lost #"))
    let meter = try Self.security(steps + [.disconnect()], side: .sensor)
    Self.expectNoBond(meter)
    #expect(meter.contains("the peer ended the link #"))
  }

  @Test func onlyTheRequest() throws {
    let text = try Self.security([.arrival, .security(from: .collector, [0x01, 4, 0, 13, 16, 0, 0]), .disconnect()])
    Self.expectNoBond(text)
    #expect(text.contains("asked for LE Secure Connections, MITM protection, bonding pairing broken off after"))
  }

  @Test func oneThatFails() throws {
    let text = try Self.security(
      [.arrival, Self.request, Self.response] + Self.values([0x0C])
        + [.security(from: .sensor, [0x05, 0x0B]), .disconnect()]
    )
    Self.expectNoBond(text)
    #expect(
      text.contains("bonding IO no input no output / no input no output pairing failed: DHKey check failed, said ")
    )
    let passkey = try Self.security([
      .arrival, .security(from: .collector, [0x01, 4, 0, 5, 16, 0, 1]),
      .security(from: .sensor, [0x02, 0, 0, 5, 16, 0, 1]), .security(from: .sensor, [0x05, 0x04]), .disconnect(),
    ])
    Self.expectNoBond(passkey)
    #expect(passkey.contains("asked for LE legacy pairing, passkey, bonding IO keyboard display / display only"))
    #expect(passkey.contains("pairing failed: confirm value failed, said the peer #"))
  }

  @Test func oneWithoutEncryption() throws {
    let steps = [.arrival, Self.request, Self.response] + Self.values([0x0C, 0x04, 0x0D])
    let late = try Self.security(steps + [.wait(milliseconds: 40_000), .exchangeMTU(185), .disconnect()])
    Self.expectNoBond(late)
    #expect(late.contains("pairing came through, and encryption was not switched on"))
    let left = try Self.security(steps + [.disconnect()])
    #expect(left.contains("pairing came through without encryption: this host ended the link #"))
    let failed = try Self.security(steps + [.encrypt(status: 0x06), .disconnect()])
    Self.expectNoBond(failed)
    #expect(failed.contains("pairing failed: no encryption with the new key, PIN or key missing #"))
  }

  @Test func oneThatTimesOut() throws {
    let text = try Self.security([
      .arrival, Self.request, Self.response, .wait(milliseconds: 31_000), .exchangeMTU(185), .disconnect(),
    ])
    Self.expectNoBond(text)
    #expect(text.contains("pairing timed out: nothing more came of it for 30 s"))
  }

  @Test func oneThatIsNotFinished() throws {
    let text = try Self.security([.arrival, Self.request, Self.response])
    Self.expectNoBond(text)
    #expect(text.contains("pairing not finished when the capture ends"))
  }

  @Test func oneWithoutBonding() throws {
    let pair: [Step] = [
      .arrival, .security(from: .collector, [0x01, 3, 0, 8, 16, 0, 0]),
      .security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 0]), .encrypt(),
    ]
    let text = try Self.security(pair + [.disconnect()])
    #expect(text.contains("LE Secure Connections, Just Works, not bonded, 16-octet key"))
  }

  @Test func anotherOneOnAnEncryptedLink() throws {
    let second = [Self.request, Self.response, .security(from: .sensor, [0x05, 0x08])]
    let paired = try Self.security([.arrival, .pair()] + second + [.disconnect()])
    #expect(paired.contains("Just Works, bonded, 16-octet key"))
    #expect(
      paired.contains("another pairing failed: unspecified reason, said") && paired.contains("the link stays encrypted")
    )
    let stored = try Self.security([.arrival, .encrypt()] + second + [.disconnect()])
    #expect(stored.contains("with a stored key another pairing failed: unspecified reason, said"))
    #expect(!stored.contains("bonded"))
  }

  @Test func oneAfterARefusedKey() throws {
    let text = try Self.security([.arrival, .encrypt(status: 0x06), .pair(), .disconnect()])
    #expect(
      text.contains("Just Works, bonded, 16-octet key") && text.contains("stored key refused: PIN or key missing #")
    )
    #expect(!text.contains("with a stored key"))
  }

  @Test func oneThatFailsBeforeOneThatDoesNot() throws {
    let text = try Self.security([.arrival, .pair(failure: 0x04), .pair(), .disconnect()])
    #expect(text.contains("Just Works, bonded, 16-octet key"))
    #expect(text.contains("before that, pairing failed: confirm value failed"))
  }

  @Test func oneWhoseBeginningIsNotInTheCapture() throws {
    let steps: [Step] = [.arrival, .pair(), .subscribe(), .fetch(.all, 1...3), .disconnect()]
    let whole = Scenario("pairing", steps).frames()
    let request = try #require(whole.firstIndex { $0.octets.dropFirst(6).starts(with: [0x06, 0x00, 0x02]) })
    let text = try Self.security(steps, cut: request + 1)
    #expect(text.contains("paired; how is not in the capture"))
    for claim in ["bonded", "octet key", "stored key"] { #expect(!text.contains(claim), "\(text)") }
  }

  @Test func keysThatAreNotHandedOver() throws {
    let legacy: [Step] = [
      .arrival, .security(from: .collector, [0x01, 3, 0, 1, 16, 0, 1]),
      .security(from: .sensor, [0x02, 3, 0, 1, 16, 0, 1]), .encrypt(),
    ]
    let lost = try Self.security(legacy + [.linkLoss])
    #expect(lost.contains("LE legacy pairing, Just Works, not bonded, 16-octet key"))
    #expect(lost.contains("both asked to bond, and no long-term key was handed over"))
    let open = try Self.security(legacy)
    #expect(open.contains("bonding not finished when the capture ends"))
    let secure: [Step] = [
      .arrival, .security(from: .collector, [0x01, 3, 0, 9, 16, 2, 2]),
      .security(from: .sensor, [0x02, 3, 0, 9, 16, 2, 2]), .encrypt(), .linkLoss,
    ]
    let story = try StoryText.of(Scenario("pairing", secure).capture()).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(story.contains("whether both sides keep the bond: not all keys that they agreed on were handed over"))
  }

  /// The lines are made for a terminal.
  @Test func itKeepsToTheWidth() throws {
    let steps = [.arrival, Self.request, Self.response] + Self.values([0x0C, 0x04]) + [.disconnect()]
    let story = try StoryText.of(Scenario("pairing", steps).capture())
    #expect(story.split(separator: "\n").allSatisfy { TextColumns.count(String($0)) <= 100 })
  }
}
