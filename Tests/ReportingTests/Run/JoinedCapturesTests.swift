import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// Pieces of one log that are joined.
@Suite struct JoinedCapturesTests {
  /// A btsnoop file of the frames in `range` of a btsnoop file.
  private static func piece(_ file: [UInt8], _ range: Range<Int>) -> [UInt8] {
    var piece = Array(file[..<16])
    var place = 16
    var frame = 0
    while place < file.count {
      let length = file[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
      if range.contains(frame) { piece += file[place..<(place + 24 + length)] }
      place += 24 + length
      frame += 1
    }
    return piece
  }

  private static func findings(_ pieces: [[UInt8]]) throws -> (frames: UInt32, gaps: [String], rules: [String]) {
    let sources = try pieces.enumerated().flatMap { try captures(in: .memory($1, name: "part\($0 + 1)")) }
    let capture = try LintStory(sources, memory: TraceMemory(), options: LintOptions()).capture
    return (capture.facts.frames, capture.facts.gaps, capture.findings.map { "\($0.finding.finding.rule)" })
  }

  @Test(arguments: [(140, 120), (140, 140), (140, 0), (100, 99)])
  func `what overlapping pieces share is read once`(end: Int, start: Int) throws {
    for scenario in [Scenario.firstSync(), Scenario.linkLossResume()] {
      let whole = scenario.capture()
      let parts = [Self.piece(whole, 0..<end), Self.piece(whole, start..<10_000)]
      let (alone, joined) = (try Self.findings([whole]), try Self.findings(parts))
      #expect(joined.rules == alone.rules)
      let shared = end - start
      #expect(joined.frames == alone.frames + UInt32(shared))
      let said = "\(countText(shared, "frame")) from frame \(end + 1) on repeat a joined capture, read once"
      #expect(joined.gaps == alone.gaps + (shared > 0 ? [said] : []))
    }
  }

  @Test func `frames that only look alike are all read`() throws {
    let whole = Scenario.firstSync().capture()
    var later = Self.piece(whole, 100..<10_000)
    // Another octet in the first frame's packet.
    later[16 + 24] ^= 0x01
    let joined = try Self.findings([Self.piece(whole, 0..<140), later])
    #expect(!joined.gaps.contains { $0.contains("repeat") })
    #expect(joined.frames == (try Self.findings([whole])).frames + 40)
  }
}
