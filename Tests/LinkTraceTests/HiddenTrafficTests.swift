import CaptureFiles
import LinkTrace
import ReferenceCaptures
import Scenarios
import Testing

/// Why what a link does not show may have happened.
@Suite struct HiddenTrafficTests {
  /// A first sync of which the logger kept so many octets of each ACL packet, its own header counted.
  private func sync(keeping octets: Int) throws -> LinkHistory {
    try #require(Trace(cut(Scenario.firstSync().frames(), to: octets)).links.first)
  }

  private func cut(_ frames: [RenderedFrame], to octets: Int) -> [RenderedFrame] {
    frames.map { frame in
      guard frame.kind == .aclSent || frame.kind == .aclReceived, frame.octets.count > octets else { return frame }
      var frame = frame
      frame.octets = Array(frame.octets.prefix(octets))
      return frame
    }
  }

  @Test func `what is left of packets tells what they hide`() throws {
    #expect(HiddenTraffic(try sync(keeping: 7)) == .emptiedPackets)
    #expect(HiddenTraffic(try sync(keeping: 8)) == .emptiedPackets)
    for octets in [9, 10] {
      let link = try sync(keeping: octets)
      guard case .namelessPackets(let count) = try #require(HiddenTraffic(link)) else {
        Issue.record("\(octets) octets")
        continue
      }
      #expect(count == link.counts.namelessPDUs && count > 30)
      #expect(LinkSummary(link).hidden?.hidesValues == true)
    }
    guard case .unnamedValues = try #require(HiddenTraffic(try sync(keeping: 11))) else {
      Issue.record("the handles are there")
      return
    }
    #expect(HiddenTraffic(try sync(keeping: 1_000)) == nil)
  }

  /// Requests and answers stay in turn by their op codes alone.
  @Test(
    .enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"),
    arguments: LabFiles.captures,
    9...11
  )
  func `what is cut is not missing`(_ path: String, _ octets: Int) throws {
    let original = try frames(of: path)
    for (whole, link) in zip(Trace(original).inOrder, Trace(cut(original, to: octets)).inOrder) {
      #expect(link.counts.orphanAnswers <= whole.counts.orphanAnswers)
      #expect(link.counts.skippedAnswers <= whole.counts.skippedAnswers)
      #expect(link.counts.passedRequests <= whole.counts.passedRequests)
    }
  }

  private func records(_ request: [UInt8], then write: (inout Script) -> Void = { _ in }) throws -> LinkHistory {
    var script = Script()
    script.connect()
    write(&script)
    script.sent([0x12, 0x23, 0x00] + request)
    script.received([0x13])
    for number in 1...5 as ClosedRange<UInt16> { script.received([0x1B, 0x1B, 0x00] + measurement(number)) }
    script.disconnect()
    return try #require(script.trace.links.first)
  }

  @Test func `a write that may be a request to a handle without a name`() throws {
    let link = try records([0x01, 0x01])
    #expect(link.procedures.isEmpty && link.sensor == .remote)
    #expect(HiddenTraffic(link) == .unnamedRequest(handle: 0x23, frame: 2))
    #expect(LinkSummary(link).hidesRequests && LinkSummary(link).hidden?.hidesValues == false)
    #expect(HiddenTraffic(try records([0x41, 0x42])) == nil)
  }

  @Test func `where packets are cut a descriptor with a name makes its control point known as one without`() throws {
    let subscription: [UInt8] = [0x12, 0x24, 0x00, 0x02, 0x00]
    let bare = try records([0x01, 0x01]) {
      $0.sent(subscription)
      $0.received([0x13])
    }
    let named = try records([0x01, 0x01]) {
      $0.sent([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
      $0.cut(.aclReceived, [0x11, 0x06, 0x01, 0x00, 0x05, 0x00, 0x00, 0x18], to: 5)
      $0.sent([0x04, 0x24, 0x00, 0x24, 0x00])
      $0.received([0x05, 0x01, 0x24, 0x00, 0x02, 0x29])
      $0.sent(subscription)
      $0.received([0x13])
    }
    for link in [bare, named] {
      #expect(link.handles.first { $0.handle == 0x23 }?.role == .recordAccess)
      #expect(link.procedures.map(\.records) == [5])
      #expect(HiddenTraffic(link) == nil)
    }
  }
}
