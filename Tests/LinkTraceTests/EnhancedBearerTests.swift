import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

/// ATT over credit-based channels (Core Vol 3 Part A 3.4, Part F 3.2.11).
@Suite struct EnhancedBearerTests {
  /// Opens one bearer: 0x0041 at the local host, 0x0051 at the peer.
  private func open(_ script: inout Script, identifier: UInt8 = 1) {
    script.channel(
      .aclSent,
      5,
      LogicalLinkEncoding.signal(0x17, identifier: identifier, [0x0027, 64, 64, 5, 0x0041])
    )
    script.channel(.aclReceived, 5, LogicalLinkEncoding.signal(0x18, identifier: identifier, [64, 64, 5, 0, 0x0051]))
  }

  private func segments(_ unit: [UInt8], _ size: Int) -> [[UInt8]] {
    LogicalLinkEncoding.segments(of: unit, maximum: size)
  }

  @Test(arguments: [3, 4, 7, 64])
  func `an SDU over several K-frames is one PDU`(_ size: Int) throws {
    var script = Script()
    script.connect()
    open(&script)
    for segment in segments([0x1B, 0x0B, 0x00] + measurement(1), size) {
      script.channel(.aclReceived, 0x0041, segment)
    }
    script.channel(.aclSent, 0x0051, [5, 0, 0x12, 0x0D, 0x00, 0x01, 0x01])
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.map(\.opcode) == [.notification, .writeRequest])
    #expect(link.pdus.map(\.bearer) == [1, 1])
    #expect(link.value(link.pdus[0]).copied() == measurement(1))
    #expect(link.counts.enhancedBearers == 1)
    #expect(link.counts.brokenFragments == 0)
  }

  @Test func `what follows a cut K-frame of an SDU is passed over`() throws {
    let unit: [UInt8] = [0x1B, 0x0B, 0x00] + measurement(1)
    let parts = segments(unit, 6)
    #expect(parts.count == 3)
    for cut in 0..<2 {
      var script = Script()
      script.connect()
      open(&script)
      for (index, part) in parts.enumerated() {
        let data = LogicalLinkEncoding.frame(channel: 0x0041, part)
        script.acl(.aclReceived, isStart: true, data, kept: index == cut ? 8 : nil)
      }
      script.channel(.aclReceived, 0x0041, [UInt8(unit.count), 0] + unit)
      let link = try #require(script.trace.links.first)
      #expect(link.pdus.map(\.isClipped) == [true, false])
      #expect(link.pdus.map { Int($0.originalLength) } == [unit.count, unit.count])
      #expect(link.value(link.pdus[1]).copied() == measurement(1))
    }
  }

  @Test func `requests on two bearers are answered each on its own`() throws {
    var script = Script()
    script.connect()
    script.channel(.aclSent, 5, LogicalLinkEncoding.signal(0x17, identifier: 1, [0x0027, 64, 64, 5, 0x41, 0x42]))
    script.channel(.aclReceived, 5, LogicalLinkEncoding.signal(0x18, identifier: 1, [64, 64, 5, 0, 0x51, 0x52]))
    script.channel(.aclSent, 0x51, [3, 0, 0x0A, 0x03, 0x00])
    script.channel(.aclSent, 0x52, [3, 0, 0x0A, 0x05, 0x00])
    script.channel(.aclReceived, 0x42, [2, 0, 0x0B, 0x05])
    script.channel(.aclReceived, 0x41, [2, 0, 0x0B, 0x03])
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.map(\.bearer) == [1, 2, 2, 1])
    #expect(link.pdus.map(\.handle) == [3, 5, 5, 3])
  }

  @Test func `a channel identifier given out again belongs to the new bearer`() throws {
    var script = Script()
    script.connect()
    for identifier in 1...70 as ClosedRange<UInt8> { open(&script, identifier: identifier) }
    script.channel(.aclReceived, 0x41, [13, 0, 0x1B, 0x0B, 0x00] + measurement(1))
    let link = try #require(script.trace.links.first)
    #expect(link.events.filter { $0.kind == .channelResponse }.count == 70)
    #expect(link.counts.enhancedBearers == 60)
  }

  @Test func `other channels are counted and not read`() throws {
    var script = Script()
    script.connect()
    script.channel(.aclSent, 5, LogicalLinkEncoding.signal(0x14, identifier: 1, [0x0080, 0x41, 64, 64, 5]))
    script.channel(.aclReceived, 5, LogicalLinkEncoding.signal(0x15, identifier: 1, [0x51, 64, 64, 5, 0]))
    script.channel(.aclReceived, 0x41, [13, 0, 0x1B, 0x0B, 0x00] + measurement(1))
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.isEmpty)
    #expect(link.counts.otherChannelPDUs == 1)
  }

  @Test func `a sync over enhanced bearers is a sync`() throws {
    let trace = Trace(Scenario.eattSync().frames())
    let link = try #require(trace.inOrder.first)
    #expect(link.counts.enhancedBearers >= 1)
    let last = try #require(trace.procedures.last)
    #expect(last.procedure.outcome == .success)
    #expect(last.procedure.records == 30)
    #expect(link.pdus.contains { $0.bearer > 0 })
  }
}
