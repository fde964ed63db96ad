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

  /// Two PDUs that cross, as the fragments of each: sent first.
  private func crossing(_ order: [(FrameKind, Range<Int>)], of write: [UInt8]) -> Script {
    var script = Script()
    script.connect()
    for (kind, range) in order {
      let octets = kind == .aclSent ? write : unit
      script.acl(kind, isStart: range.lowerBound == 0, Array(octets[range]))
    }
    return script
  }

  private let write = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00, 0x01, 0x01])

  @Test func `a continuation that fits both sides alike is noted and not guessed`() throws {
    // Eight octets lack of either.
    let long = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00] + [UInt8](repeating: 1, count: 10))
    for order in [
      [(.aclReceived, 0..<9), (.aclSent, 0..<9), (.aclReceived, 9..<17)],
      [(.aclReceived, 0..<9), (.aclSent, 0..<9), (.aclReceived, 9..<17), (.aclSent, 9..<17)],
      [(.aclReceived, 0..<9), (.aclSent, 0..<9), (.aclReceived, 9..<13), (.aclSent, 9..<13), (.aclReceived, 13..<17)],
    ] as [[(FrameKind, Range<Int>)]] {
      var script = crossing(order, of: long)
      script.disconnect()
      let link = try #require(undirected(script).links.first)
      #expect(link.pdus.isEmpty)
      #expect(broken(link) == [4])
      #expect(!VisibilityFacts(link).contains(.noLoss))
    }
  }

  @Test func `PDUs that cross are told apart where their lengths fit in one way alone`() throws {
    for order in [
      // Eight octets lack of the one, four of the other: the longer fragment fits one alone.
      [(.aclReceived, 0..<9), (.aclSent, 0..<5), (.aclReceived, 9..<17), (.aclSent, 5..<9)],
      // The shorter one comes first and fits both, and the longer one shows whose it was.
      [(.aclReceived, 0..<9), (.aclSent, 0..<5), (.aclSent, 5..<9), (.aclReceived, 9..<17)],
      // Three fragments, of which two are of one side.
      [(.aclSent, 0..<5), (.aclReceived, 0..<7), (.aclReceived, 7..<10), (.aclSent, 5..<9), (.aclReceived, 10..<17)],
      // Another PDU of a side shows that the one before it was over.
      [
        (.aclSent, 0..<7), (.aclReceived, 0..<9), (.aclSent, 7..<9), (.aclSent, 0..<9), (.aclReceived, 9..<12),
        (.aclReceived, 12..<17),
      ],
    ] as [[(FrameKind, Range<Int>)]] {
      let script = crossing(order, of: write)
      let expected = try #require(script.trace.links.first)
      let link = try #require(undirected(script).links.first)
      #expect(!expected.pdus.isEmpty)
      #expect(broken(link).isEmpty)
      #expect(text(link) == text(expected))
      #expect(pdus(link) == pdus(expected))
    }
  }

  private func pdus(_ link: LinkHistory) -> [String] {
    link.pdus.map { "\($0.frame) \($0.time) \($0.opcode.name) \($0.isReceived) \(link.value($0).copied())" }
  }

  /// Writes of the host that cross notifications, cut at random: what is told is what a file with directions tells, and
  /// what is not is noted.
  @Test func `a file without directions tells nothing else`() throws {
    var numbers = RandomNumbers(seed: 187)
    var toldCount = 0
    for _ in 0..<1_000 {
      var script = Script()
      script.connect()
      for _ in 0..<6 {
        var parts: [[(FrameKind, Bool, [UInt8])]] = []
        for kind in [FrameKind.aclSent, .aclReceived] {
          let octets = kind == .aclSent ? write : unit
          var cuts = Set((0..<2).map { _ in 4 + Int(numbers.next() % UInt64(octets.count - 4)) }).sorted()
          cuts = [0] + cuts + [octets.count]
          parts.append(
            zip(cuts, cuts.dropFirst()).filter { $0 < $1 }.map { (kind, $0 == 0, Array(octets[$0..<$1])) }
          )
        }
        while let side = parts.indices.filter({ !parts[$0].isEmpty }).randomElement(using: &numbers) {
          let (kind, isStart, octets) = parts[side].removeFirst()
          script.acl(kind, isStart: isStart, octets)
        }
      }
      script.disconnect()
      let expected = try #require(script.trace.links.first)
      let link = try #require(undirected(script).links.first)
      if broken(link).isEmpty {
        toldCount += 1
        #expect(text(link) == text(expected))
        #expect(pdus(link) == pdus(expected))
      } else {
        // What is there stands in the other as well.
        #expect(Set(pdus(link)).isSubset(of: pdus(expected)))
      }
    }
    #expect(toldCount > 20, "\(toldCount)")
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
