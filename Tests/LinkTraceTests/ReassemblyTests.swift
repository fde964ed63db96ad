import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// L2CAP PDUs put together from ACL fragments (Core Vol 3 Part A 7.2.1).
@Suite struct ReassemblyTests {
  private let unit = LogicalLinkEncoding.frame(channel: 4, [0x1B, 0x0B, 0x00] + measurement(1))

  private func broken(_ link: LinkHistory) -> [UInt8] {
    link.events.filter { $0.kind == .reassemblyBroken }.map(\.code)
  }

  @Test(arguments: 1...16)
  func `fragments of any size give the PDU`(_ size: Int) throws {
    var script = Script()
    script.connect()
    for start in stride(from: 0, to: unit.count, by: size) {
      script.acl(.aclReceived, isStart: start == 0, Array(unit[start..<min(unit.count, start + size)]))
    }
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.count == 1)
    #expect(link.value(link.pdus[0]).copied() == measurement(1))
    #expect(link.pdus[0].frame == UInt32(script.frames.count))
    #expect(broken(link).isEmpty)
  }

  @Test func `both directions are put together apart`() throws {
    let write = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00, 0x01, 0x01])
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<9]))
    script.acl(.aclSent, isStart: true, Array(write[..<5]))
    script.acl(.aclReceived, isStart: false, Array(unit[9...]))
    script.acl(.aclSent, isStart: false, Array(write[5...]))
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.map(\.opcode) == [.notification, .writeRequest])
    #expect(link.value(link.pdus[1]).copied() == [1, 1])
  }

  @Test func `more octets than the PDU has are noted and not read`() throws {
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, unit + [0xAA, 0xBB])
    script.acl(.aclReceived, isStart: true, Array(unit[..<9]))
    script.acl(.aclReceived, isStart: false, Array(unit[9...]) + [0xAA])
    let link = try #require(script.trace.links.first)
    // One start fragment that is too long still begins with its PDU; of two fragments either may be the wrong one.
    #expect(link.pdus.map { link.value($0).copied() } == [measurement(1)])
    #expect(broken(link) == [3, 3])
  }

  @Test func `a lost continuation costs only its own PDU`() throws {
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<9]))
    script.acl(.aclReceived, isStart: true, unit)
    script.acl(.aclReceived, isStart: false, [1, 2, 3])
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.count == 1)
    #expect(broken(link) == [2, 1])
    #expect(!VisibilityFacts(link).contains(.noLoss))
  }

  @Test func `a capture that starts inside a PDU is not broken`() throws {
    var script = Script()
    script.acl(.aclReceived, isStart: false, [1, 2, 3])
    script.acl(.aclReceived, isStart: true, unit)
    let link = try #require(script.trace.links.first)
    #expect(broken(link).isEmpty)
    #expect(link.pdus.count == 1)
  }

  @Test func `the continuation of a cut start is passed over`() throws {
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<12]), kept: 9)
    script.acl(.aclReceived, isStart: false, Array(unit[12...]))
    script.acl(.aclReceived, isStart: true, unit)
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.map(\.isClipped) == [true, false])
    #expect(link.pdus[0].originalLength == 13)
    #expect(link.pdus[0].valueCount == 2)
    #expect(broken(link).isEmpty)
    #expect(link.counts.clippedPDUs == 1)
    #expect(link.counts.clippedTo == 13)
  }

  @Test func `what follows a cut continuation is passed over`() throws {
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<6]))
    script.acl(.aclReceived, isStart: false, Array(unit[6..<12]), kept: 3)
    script.acl(.aclReceived, isStart: false, Array(unit[12...]))
    script.acl(.aclReceived, isStart: true, unit)
    let link = try #require(script.trace.links.first)
    #expect(link.pdus.map(\.isClipped) == [true, false])
    #expect(broken(link).isEmpty)
  }

  @Test func `a start of which no length is left hides its continuations`() throws {
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<12]), kept: 1)
    script.acl(.aclReceived, isStart: false, Array(unit[12...]))
    script.acl(.aclReceived, isStart: true, unit)
    let link = try #require(script.trace.links.first)
    #expect(link.counts.emptiedPDUs == 1)
    #expect(link.pdus.count == 1)
    #expect(broken(link).isEmpty)
  }

  @Test func `a continuation without direction goes to the side whose PDU is open`() throws {
    let write = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00, 0x01, 0x01])
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<9]))
    script.acl(.aclReceived, isStart: false, Array(unit[9...]))
    script.acl(.aclSent, isStart: true, Array(write[..<5]))
    script.acl(.aclSent, isStart: false, Array(write[5...]))
    let link = try #require(undirected(script).links.first)
    #expect(link.pdus.map(\.isReceived) == [true, false])
    #expect(broken(link).isEmpty)
  }

  @Test func `a continuation that fits both sides is noted and not guessed`() throws {
    let write = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00, 0x01, 0x01])
    var script = Script()
    script.connect()
    script.acl(.aclReceived, isStart: true, Array(unit[..<9]))
    script.acl(.aclSent, isStart: true, Array(write[..<5]))
    script.acl(.aclReceived, isStart: false, Array(unit[9...]))
    let link = try #require(undirected(script).links.first)
    #expect(link.pdus.isEmpty)
    #expect(broken(link) == [4])
  }

  /// The frames as link type 187 gives them.
  private func undirected(_ script: Script) -> Trace {
    Trace(
      script.frames.map { frame in
        var frame = frame
        if frame.kind == .aclSent || frame.kind == .aclReceived { frame.kind = .aclUndirected }
        return frame
      }
    )
  }
}
