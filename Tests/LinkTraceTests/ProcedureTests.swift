import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// Procedures that run where others run as well (GLP 4.7).
@Suite struct ProcedureTests {
  @Test func `control points at the same handle of both sides do not mix`() throws {
    var script = Script()
    script.connect()
    for isOurs in [false, true] {
      let ask: FrameKind = isOurs ? .aclReceived : .aclSent
      let tell: FrameKind = isOurs ? .aclSent : .aclReceived
      script.channel(ask, 4, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
      script.channel(tell, 4, [0x09, 7, 0x0A, 0, 0x10, 0x0B, 0, 0x18, 0x2A, 0x0C, 0, 0x28, 0x0D, 0, 0x52, 0x2A])
    }
    script.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
    script.received([0x13])
    script.received([0x12, 0x0D, 0x00, 0x04, 0x01])
    script.sent([0x13])
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.sent([0x1D, 0x0D, 0x00, 0x05, 0x00, 0x02, 0x00])
    script.received([0x1E])
    script.received([0x1D, 0x0D, 0x00, 0x06, 0x00, 0x01, 0x01])
    script.sent([0x1E])
    let link = try #require(script.trace.links.first)
    #expect(link.procedures.map(\.server) == [.remote, .local])
    #expect(link.procedures.map(\.outcome) == [.success, .count(2)])
    #expect(link.procedures.map(\.records) == [1, 0])
    #expect(link.procedures.allSatisfy { $0.overlaps == nil && $0.confirmation != nil })
  }

  /// A sensor that takes a request while an Abort runs ends with the Abort what ran before it, and answers the request
  /// for itself; where it does not answer it, the Abort may have ended both.
  @Test(arguments: [true, false])
  func `an Abort does not end a younger request that has its own result`(_ isAnswered: Bool) throws {
    let rest: [Step] = isAnswered ? [.records(9...12), .result(.report, .success), .confirm] : []
    let steps: [Step] =
      [
        .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .report(.atLeast(9)), .accept,
        .result(.abort, .success), .confirm,
      ] + rest + [.wait(milliseconds: 400), .disconnect()]
    let link = try #require(Trace(Scenario("abort", steps).frames()).inOrder.first)
    #expect(link.procedures.map(\.outcome) == [.aborted, .success, isAnswered ? .success : .aborted])
    #expect(link.unaskedResults.isEmpty)
  }

  @Test func `a request is refused beside the one that runs`() throws {
    let trace = Trace(Scenario.overlapRefused().frames())
    let procedures = trace.procedures.map(\.procedure).filter { $0.opCode == .report }
    #expect(procedures.contains { $0.outcome == .refused(ATTError(rawValue: 0x80)) && $0.overlaps != nil })
    #expect(procedures.contains { $0.outcome == .success && $0.records == 30 })
  }

  @Test func `a link that goes ends what runs in the way it goes`() throws {
    let lost = Trace(Scenario.linkLossResume().frames()).procedures.map(\.procedure.outcome)
    #expect(lost.contains(.linkLost))
    let left = Trace(Scenario.silence().frames()).procedures.map(\.procedure.outcome)
    #expect(left.contains(.disconnected(by: .local)))
    let hungUp = Trace(Scenario.sensorHangsUp().frames()).procedures.map(\.procedure.outcome)
    #expect(hungUp.contains(.disconnected(by: .remote)))
    let silent = Trace(Scenario.unanswered().frames()).procedures.map(\.procedure.outcome)
    #expect(silent.contains(.unanswered))
  }
}
