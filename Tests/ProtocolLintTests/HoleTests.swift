import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Captures with a hole that no drop counter tells of: most formats have none.
struct PlainCapture: CustomTestStringConvertible, Sendable {
  var name: String
  var capture: FaultyCapture
  var testDescription: String { name }

  /// Every example, failing or not, from every end that sees it.
  static let all: [PlainCapture] = (ExampleCase.failing + ExampleCase.passing).flatMap { item in
    item.example.ends.map { side in
      let name = "\(item.identifier) \(item.example.scenario.name) \(side)"
      let frames = item.example.scenario.frames(Rendering(side: side)).filter { packets.contains($0.kind) }
      return PlainCapture(name: name, capture: FaultyCapture(name: name, frames: frames))
    }
  }

  /// The frames that are left out, one at a time: every fifth, another fifth for each capture, as all of them take many
  /// minutes; `RACPSCOPE_EVERY_HOLE=1` tries them all.
  var places: StrideTo<Int> {
    let step = Thoroughness.triesEveryHole ? 1 : 5
    let first = name.utf8.reduce(0) { $0 + Int($1) } % step
    return stride(from: min(first, capture.frames.count), to: capture.frames.count, by: step)
  }

  private static let packets: Set<FrameKind> = [.command, .event, .aclSent, .aclReceived]

  /// The judgement of a file without a drop counter from which these frames are missing.
  func judge(without hole: Range<Int> = 0..<0) throws -> Judgement {
    let kept = Array(capture.frames[..<hole.lowerBound] + capture.frames[hole.upperBound...])
    return try capture.judge(kept, .packetLogger(bigEndian: true))
  }
}

/// What is accused with a hole and was not without: rules with the levels that are new.
private func accused(_ less: Judgement, _ whole: Judgement) -> [Finding] {
  less.findings.filter { finding in
    guard finding.rule.area != "CAP", finding.level > .note else { return false }
    let known = whole.findings(of: finding.rule) + whole.linkFindings.filter { $0.rule == finding.rule }
    return !known.contains { $0.level >= finding.level }
  }
}

/// Rules whose pages say that a single missing packet looks like their fault.
private let admitted = Set(RuleRegistry.rules.map(\.description).filter { $0.hole != nil }.map(\.identifier))

@Test(arguments: PlainCapture.all)
func `a frame that is missing without a drop counter makes no new error`(plain: PlainCapture) throws {
  let whole = try plain.judge()
  for place in plain.places {
    for finding in accused(try plain.judge(without: place..<(place + 1)), whole) {
      let isExplained = admitted.contains(finding.rule)
      #expect(finding.level < .error || isExplained, "without frame \(place + 1): \(finding.rule) \(finding.message)")
      if Thoroughness.printsHoles {
        print("HOLE\t\(plain.name)\t\(place + 1)\t\(finding.rule)\t\(finding.level)\t\(finding.message)")
      }
    }
  }
}
