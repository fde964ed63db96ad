import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// Where links begin and end.
@Suite struct LinkLifeTests {
  @Test func `a handle given out again ends the link before`() throws {
    var script = Script()
    script.connect()
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.connect(peer: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true))
    script.received([0x1B, 0x0B, 0x00] + measurement(2))
    let links = script.trace.links
    #expect(links.map(\.end.cause) == [.superseded, .captureEnded])
    #expect(links.map(\.number) == [1, 2])
    #expect(links.map { $0.peerIdentity?.description } == ["F0:0D:CA:FE:00:01", "F0:0D:CA:FE:00:02"])
    #expect(links.map(\.pdus.count) == [1, 1])
  }

  @Test func `a new link with the same peer ends the link before, whatever its handle`() throws {
    var script = Script()
    script.connect()
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.handle += 1
    script.connect()
    script.received([0x1B, 0x0B, 0x00] + measurement(2))
    script.adapter = 1
    script.connect()
    let links = script.trace.links
    #expect(links.map(\.end.cause) == [.superseded, .captureEnded, .captureEnded])
    #expect(links.map(\.end.frame).first == 3)
    #expect(links.map(\.runsBesideAnother) == [false, false, false])
  }

  /// A sensor's host that uses a device of its own: what it remembers of its own table makes that link no collector's.
  @Test func `a link that the host makes itself brings no collector`() throws {
    var script = Script()
    func accept() {
      let peer = DeviceAddress(value: 0x0000_5E00_53A1, isRandom: false)
      let head: [UInt8] = [0] + handleOctets(script.handle) + [1, 0]
      let rest: [UInt8] = handleOctets(24) + [0, 0, 0x2A, 0, 0]
      script.add(.event, HCIEncoding.lowEnergyEvent(0x01, head + peer.octets + rest))
    }
    func ask() {
      script.received([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
      script.sent([0x11, 6, 0x19, 0x00, 0x24, 0x00, 0x08, 0x18])
      script.received([0x08, 0x19, 0x00, 0x24, 0x00, 0x03, 0x28])
      script.sent([0x09, 7, 0x22, 0x00, 0x28, 0x23, 0x00, 0x52, 0x2A])
    }
    accept()
    ask()
    script.disconnect()
    script.handle += 1
    script.connect(peer: DeviceAddress(value: 0xC3EE_DDCC_BBAA, isRandom: true))
    script.received([0x1B, 0x2A, 0x00, 0x01, 0x02])
    script.handle += 1
    accept()
    ask()
    let links = script.trace.inOrder
    #expect(links.map(\.isHealthLink) == [true, false, true])
    #expect(links.map(\.runsBesideAnother) == [false, false, false])
  }

  @Test func `a reset ends the links of its controller alone`() throws {
    var script = Script()
    script.connect()
    script.adapter = 1
    script.connect()
    script.add(.event, HCIEncoding.commandComplete(0x0C03))
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.adapter = 0
    script.received([0x1B, 0x0B, 0x00] + measurement(2))
    let links = script.trace.links
    #expect(links.map(\.adapter) == [1, 0, 1])
    #expect(links.map(\.end.cause) == [.controllerGone, .captureEnded, .captureEnded])
    #expect(links.map { $0.start == nil } == [false, false, true])
  }

  @Test(arguments: [FrameKind.adapterRemoved, .adapterClosed])
  func `a removed adapter ends its links`(_ kind: FrameKind) throws {
    var script = Script()
    script.connect()
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.add(kind, [])
    let link = try #require(script.trace.links.first)
    #expect(link.end.cause == .controllerGone)
    #expect(link.end.frame == 3)
  }

  @Test func `one handle on two adapters is two links`() throws {
    var script = Script()
    script.connect()
    script.adapter = 1
    script.connect(peer: DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true))
    for number in 1...4 as ClosedRange<UInt16> {
      script.adapter = number % 2
      script.received([0x1B, 0x0B, 0x00] + measurement(number))
    }
    let links = script.trace.inOrder
    #expect(links.map(\.adapter) == [0, 1])
    #expect(links.map { link in link.pdus.map { link.value($0).u16(at: 1) } } == [[2, 4], [1, 3]])
  }

  @Test func `the command tells who hung up before the reason does`() throws {
    var script = Script()
    script.connect()
    script.add(.command, HCIEncoding.command(0x0406, handleOctets(0x0040) + [0x13]))
    script.disconnect(reason: 0x13)
    script.connect()
    script.disconnect(reason: 0x13)
    script.connect()
    script.add(.command, HCIEncoding.command(0x0406, handleOctets(0x0040) + [0x13]))
    script.add(.event, HCIEncoding.commandStatus(0x0406, status: 0x12))
    script.disconnect(reason: 0x08)
    let links = script.trace.links
    #expect(links.map(\.end.endedBy) == [.local, .remote, nil])
    #expect(links[2].events.contains { $0.kind == .disconnectRefused && $0.code == 0x12 })
  }

  @Test func `a classic link is counted and uses up no number`() throws {
    var script = Script()
    script.handle = 0x0020
    script.add(.event, HCIEncoding.event(0x03, [0, 0x20, 0, 1, 2, 3, 4, 5, 6, 1, 0]))
    script.channel(.aclReceived, 1, [1, 2, 3, 4])
    script.handle = 0x0040
    script.connect()
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    let trace = script.trace
    #expect(trace.links.map(\.number) == [1])
    #expect(trace.totals.classicLinks == 1)
    #expect(trace.totals.lowEnergyLinks == 1)
  }

  @Test func `lost packets and a clock set back are noted on the links that are up`() throws {
    var tracker = LinkTracker()
    var script = Script()
    script.connect()
    tracker.follow(script.frames[0], number: 1)
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.frames[1].time -= 5_000_000
    tracker.lost(
      3,
      at: CapturedFrame(number: 2, kind: .text, adapter: 0, time: 0, offset: 0, length: 0, originalLength: 0)
    )
    tracker.follow(script.frames[1], number: 2)
    tracker.finish()
    let ended = tracker.takeEnded()
    let link = try #require(ended)
    #expect(link.counts.lostPackets == 3)
    #expect(link.counts.clockSteps == 1)
    #expect(link.events.map(\.kind) == [.packetsLost, .clockStep])
    let facts = VisibilityFacts(link)
    #expect(!facts.contains(.noLoss))
    #expect(!facts.contains(.steadyClock))
    let next = tracker.takeEnded()
    #expect(next == nil)
  }

  /// The fact may be missing as one side's packets are, or as neither side has sent any.
  @Test func `the reason for a missing direction is true of a link on which nothing was sent`() throws {
    var script = Script()
    script.connect()
    script.disconnect()
    let facts = VisibilityFacts(try #require(script.trace.links.first))
    #expect(!facts.contains(.bothDirections))
    #expect(
      VisibilityFacts.bothDirections.reason == "the capture does not hold attribute packets of both sides of the link"
    )
  }

  /// A write, the controller's report of it after so many milliseconds, and the answer.
  private static func isSteady(
    reportAfter milliseconds: Int64,
    reported: UInt16 = 1,
    interval: UInt16 = 24,
    latency: UInt16 = 0
  ) throws -> Bool {
    var script = Script()
    script.connect(interval: interval, latency: latency)
    script.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
    script.time += milliseconds * 1000
    script.add(.event, HCIEncoding.completedPackets(handle: script.handle, count: reported))
    script.received([0x13])
    return VisibilityFacts(try #require(script.trace.links.first)).contains(.steadyClock)
  }

  @Test func `a packet that seems to have waited longer than the radio lets it shows a clock that was set forward`()
    throws
  {
    #expect(try Self.isSteady(reportAfter: 900))
    #expect(try !Self.isSteady(reportAfter: 3_600_000))
    #expect(try !Self.isSteady(reportAfter: 1_500))
    // 100 ms, of which 29 events may be skipped: the write may wait for 3 s.
    #expect(try Self.isSteady(reportAfter: 3_500, interval: 80, latency: 29))
    #expect(try !Self.isSteady(reportAfter: 5_000, interval: 80, latency: 29))
    // A report of more than was sent: frames are missing, and nothing tells which, unless the answer itself took longer
    // than anybody waits.
    #expect(try Self.isSteady(reportAfter: 500_000, reported: 2))
    #expect(try !Self.isSteady(reportAfter: 601_000, reported: 2))
  }

  @Test func `times at the ends of their range do not trap`() throws {
    var script = Script()
    script.connect()
    script.frames[0].time = .min
    script.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
    script.frames[1].time = .max
    script.received([0x13])
    script.frames[2].time = .min
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.frames[3].time = .max
    script.received([0x1B, 0x0B, 0x00] + measurement(2))
    script.frames[4].time = .min
    script.received([0x1D, 0x0D, 0x00, 6, 0, 1, 1])
    script.frames[5].time = .max
    script.sent([0x12, 0x0D, 0x00, 0x01, 0x01])
    script.frames[6].time = .min
    script.received([0x1D, 0x0D, 0x00, 6, 0, 1, 1])
    script.frames[7].time = .max
    let links = script.trace.links
    #expect(links.first?.procedures.count == 2)
    #expect(LinkSummary(links[0]).procedures.count == 2)
  }
}
