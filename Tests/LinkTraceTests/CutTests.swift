import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// A capture that ends early or starts late: nothing may be told that it does not show.
@Suite struct CutTests {
  /// Every frame of a short scenario; evenly spread ones of a long one.
  private func cuts(_ count: Int) -> StrideTo<Int> { stride(from: 0, to: count, by: max(1, count / 700)) }

  @Test(arguments: Scenario.names)
  func `a capture that ends early invents no result`(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let frames = scenario.frames()
    let whole = Dictionary(
      Trace(frames).procedures.map { ($0.requestFrame, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var tracker = LinkTracker()
    var ended: [LinkHistory] = []
    var wanted = cuts(frames.count).makeIterator()
    var next = wanted.next()
    for (index, frame) in frames.enumerated() {
      tracker.follow(frame, number: index + 1)
      while let history = tracker.takeEnded() { ended.append(history) }
      guard index == next else { continue }
      next = wanted.next()
      var copy = tracker
      var collected = Collected(links: ended)
      copy.finish(into: &collected)
      for link in collected.links {
        for summary in LinkSummary(link).procedures {
          expect(summary, agreesWith: whole[summary.requestFrame], cut: UInt32(index + 1), shift: 0)
        }
      }
    }
  }

  @Test(arguments: Scenario.names)
  func `a capture that starts late invents no result`(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let frames = scenario.frames()
    let whole = Dictionary(
      Trace(frames).procedures.map { ($0.requestFrame, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for start in cuts(frames.count) {
      let rest = Trace(Array(frames[start...]))
      for summary in rest.procedures {
        let full = whole[summary.requestFrame + UInt32(start)]
        expect(summary, agreesWith: full, cut: .max, shift: UInt32(start))
      }
    }
  }

  /// What ended in the part ended the same in the whole, with a result that lies in the part.
  private func expect(_ part: ProcedureSummary, agreesWith whole: ProcedureSummary?, cut: UInt32, shift: UInt32) {
    guard let whole else {
      Issue.record("a procedure at \(part.requestFrame + shift) that the whole capture does not have")
      return
    }
    #expect(part.requestOctets == whole.requestOctets)
    // Of overlapping procedures the one whose request is left takes the records of both.
    if whole.procedure.overlaps == nil {
      #expect(part.procedure.records <= whole.procedure.records + whole.procedure.trailingRecords)
    }
    switch part.procedure.outcome {
    case .success, .noRecords, .count, .failed, .aborted, .resultClipped, .malformedResult, .refused:
      #expect(part.procedure.outcome == whole.procedure.outcome, "cut \(cut) shift \(shift) \(text(part))")
      #expect(max(whole.resultFrame, whole.answerFrame) <= cut)
    case .captureEnded, .notCaptured, .running: break
    case .unanswered, .superseded, .linkLost, .disconnected:
      #expect(part.procedure.outcome == whole.procedure.outcome, "cut \(cut) shift \(shift) \(text(part))")
    }
  }
}
