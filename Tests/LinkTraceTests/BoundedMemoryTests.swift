import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// What long links of other gadgets and hostile files may cost.
@Suite struct BoundedMemoryTests {
  @Test func `values of an unnamed handle are counted and not kept`() throws {
    var script = Script()
    script.connect()
    for number in 0..<20_000 {
      script.received([0x1B, 0x30, 0x00, 0xFF, UInt8(truncatingIfNeeded: number), 0x55, 0x66])
    }
    let link = try #require(script.trace.links.first)
    #expect(link.handles[0].notifications == 20_000)
    #expect(link.pdus.count == 64)
    #expect(link.counts.droppedPDUs == 20_000 - 64)
  }

  @Test func `a vendor gadget's link stays small`() throws {
    let frames = Scenario.vendorGadget().frames()
    let links = Trace(frames).links
    let kept = links.reduce(0) { $0 + $1.pdus.count }
    let seen = links.reduce(0) { $0 + Int($1.counts.receivedPDUs + $1.counts.sentPDUs) }
    #expect(seen > 300)
    #expect(kept < seen / 2)
    #expect(links.allSatisfy { $0.procedures.isEmpty })
  }

  @Test func `more handles than are kept apart are counted`() throws {
    var script = Script()
    script.connect()
    for handle in 1...9000 as ClosedRange<UInt16> {
      script.received([0x1B] + handleOctets(handle) + [0xFF, 0x01])
    }
    let link = try #require(script.trace.links.first)
    #expect(link.handles.count == 8192)
    #expect(link.counts.receivedPDUs == 9000)
    #expect(link.counts.droppedPDUs == 9000 - 8192)
  }

  @Test func `the number of open links is bounded`() throws {
    var script = Script()
    for adapter in 0..<3 as Range<UInt16> {
      script.adapter = adapter
      for handle in 0..<2000 as Range<UInt16> {
        script.handle = handle
        script.received([0x1B, 0x30, 0x00, 0xFF])
      }
    }
    var tracker = LinkTracker()
    for (index, frame) in script.frames.enumerated() { tracker.follow(frame, number: index + 1) }
    #expect(tracker.openLinks().count == 4096)
    var collected = Collected()
    tracker.finish(into: &collected)
    #expect(collected.links.count == 6000)
    #expect(collected.links.filter { $0.end.cause == .superseded }.count == 6000 - 4096)
    #expect(Set(collected.links.map(\.number)).count == 6000)
  }

  @Test func `unanswered requests without end are read in time`() throws {
    var script = Script()
    script.connect()
    script.sent([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28])
    script.received([0x09, 7, 0x0C, 0, 0x28, 0x0D, 0, 0x52, 0x2A])
    for _ in 0..<20_000 { script.sent([0x52, 0x0D, 0x00, 0x01, 0x01]) }
    for _ in 0..<20_000 {
      script.received([0x1D, 0x0D, 0x00, 0x06, 0x00, 0x01, 0x01])
      script.sent([0x1E])
    }
    let link = try #require(script.trace.links.first)
    #expect(link.procedures.count == 20_000)
    #expect(link.procedures.filter { $0.outcome == .success }.count == 64)
    #expect(link.procedures.filter { $0.outcome == .superseded }.count == 20_000 - 64)
  }

  @Test(arguments: ["first-sync", "eatt-sync", "link-loss-resume"])
  func `damaged captures never trap`(_ name: String) throws {
    let whole = try #require(Scenario.named(name)).frames(Rendering(fragmentSize: 27))
    var random = RandomNumbers(seed: UInt64(name.utf8.count))
    var links = 0
    for _ in 0..<1000 {
      let start = Int(random.next() % UInt64(whole.count))
      var frames = random.next() % 3 == 0 ? Array(whole[start...]) : whole
      for _ in 0..<(1 + Int(random.next() % 24)) { damage(&frames, &random) }
      let trace = Trace(frames)
      links += trace.links.count
      for link in trace.links {
        let summary = LinkSummary(link)
        for line in text(link) where line.isEmpty { Issue.record("an empty line") }
        #expect(summary.procedures.allSatisfy { $0.frames.lowerBound >= 1 })
        for pdu in link.pdus { #expect(link.value(pdu).byteCount == Int(pdu.valueCount)) }
      }
    }
    #expect(links > 500)
  }

  private func damage(_ frames: inout [RenderedFrame], _ random: inout RandomNumbers) {
    guard !frames.isEmpty else { return }
    let index = Int(random.next() % UInt64(frames.count))
    let octets = frames[index].octets.count
    switch random.next() % 8 {
    case 0: frames.remove(at: index)
    case 1: frames.insert(frames[Int(random.next() % UInt64(frames.count))], at: index)
    case 2: frames[index].octets.removeLast(min(octets, 1 + Int(random.next() % 8)))
    case 3: frames[index].time = Int64(bitPattern: random.next())
    case 4: frames[index].adapter = UInt16(random.next() % 3)
    case 5:
      let kinds: [FrameKind] = [.aclSent, .aclReceived, .aclUndirected, .event, .command, .adapterRemoved, .text]
      frames[index].kind = kinds[Int(random.next() % UInt64(kinds.count))]
    default:
      guard octets > 0 else { return }
      let at = Int(random.next() % UInt64(octets))
      let values: [UInt8] = [0, 1, 2, 5, 6, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: random.next())]
      frames[index].octets[at] = values[Int(random.next() % UInt64(values.count))]
    }
  }
}
