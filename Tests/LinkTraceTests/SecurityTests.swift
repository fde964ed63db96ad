import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// Encryption, pairing and identities.
@Suite struct SecurityTests {
  private let handle = handleOctets(0x0040)

  @Test func `both versions of Encryption Change give the state at each frame`() throws {
    var script = Script()
    script.connect()
    script.add(.event, HCIEncoding.event(0x08, [0] + handle + [1]))
    script.add(.event, HCIEncoding.event(0x30, [0] + handle))
    script.add(.event, HCIEncoding.event(0x08, [0] + handle + [0]))
    script.add(.event, HCIEncoding.event(0x59, [0] + handle + [1, 16]))
    let link = try #require(script.trace.links.first)
    let security = SecurityTimeline(link)
    #expect(security.changes.map(\.isOn) == [true, false, true])
    #expect(security.changes.map(\.keySize) == [0, 0, 16])
    #expect((1...5).map { security.state(at: $0) } == [.clear, .encrypted, .encrypted, .clear, .encrypted])
    #expect(link.events.contains { $0.kind == .keyRefresh })
  }

  @Test func `the state is unknown where the start is not in the file`() throws {
    var script = Script()
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    let link = try #require(script.trace.links.first)
    #expect(SecurityTimeline(link).state(at: 1) == .unknown)
  }

  @Test func `a key that is not there is refused on either side`() throws {
    var script = Script()
    script.connect()
    script.add(.command, HCIEncoding.command(0x2019, handle + [UInt8](repeating: 7, count: 26)))
    script.add(.event, HCIEncoding.event(0x08, [0x06] + handle + [0]))
    script.disconnect()
    script.connect()
    script.add(.event, HCIEncoding.lowEnergyEvent(0x05, handle + [UInt8](repeating: 0, count: 10)))
    script.add(.command, HCIEncoding.command(0x201B, handle))
    let links = script.trace.links
    #expect(links[0].events.first { $0.kind == .startEncryption }?.value == 1)
    #expect(SecurityTimeline(links[0]).refusedKey?.status.rawValue == 0x06)
    #expect(links[1].events.map(\.kind) == [.longTermKeyRequest, .longTermKeyNegativeReply])
    #expect(SecurityTimeline(links[1]).refusedKey != nil)
  }

  @Test func `key material is in no history`() throws {
    let key: [UInt8] = (0..<16).map { 0xA0 + $0 }
    var script = Script()
    script.connect()
    for code in [0x03, 0x04, 0x06, 0x08, 0x0A, 0x0D] as [UInt8] {
      script.channel(.aclReceived, 6, [code] + key)
      script.channel(.aclSent, 6, [code] + key)
    }
    script.channel(.aclReceived, 6, [0x0C] + key + key + key + key)
    script.channel(.aclReceived, 6, [0x07, 0xA0, 0xA1] + Array(key.prefix(8)))
    script.add(.command, HCIEncoding.command(0x2019, handle + Array(key.prefix(10)) + key))
    script.add(.command, HCIEncoding.command(0x201A, handle + key))
    script.add(.event, HCIEncoding.lowEnergyEvent(0x05, handle + Array(key.prefix(10))))
    let link = try #require(script.trace.links.first)
    #expect(link.events.count == 17)
    let stored =
      link.arena.bytes.copied()
      + link.events.flatMap { event in
        [event.code] + (0..<8).map { UInt8(truncatingIfNeeded: event.value >> (8 * UInt64($0))) }
      }
    #expect(!stored.contains { $0 >= 0xA0 && $0 < 0xB0 })
  }

  @Test func `private addresses of one identity key are one device`() throws {
    let scenario = Scenario.resolvableAddress()
    let trace = Trace(scenario.frames())
    let links = trace.inOrder
    #expect(links.count >= 2)
    let starts = Set(links.compactMap { $0.start?.peer })
    #expect(starts.count >= 2)
    #expect(Set(links.map { $0.peerIdentity }).count == 1)
    #expect(links.allSatisfy { $0.peerIdentity != nil })
  }

  @Test func `a key learned late asks for a second pass and resolves in it`() throws {
    // A key and an address made with it: Core Vol 3 Part H Appendix D.7.
    let key: [UInt8] = [
      0x9B, 0x7D, 0x39, 0x0A, 0xA6, 0x10, 0x10, 0x34, 0x05, 0xAD, 0xC8, 0x57, 0xA3, 0x34, 0x02, 0xEC,
    ]
    let private1 = DeviceAddress(value: 0x7081_940D_FBAA, isRandom: true)
    let identity = DeviceAddress(value: 0x0011_2233_4455, isRandom: false)
    var script = Script()
    script.connect(peer: private1)
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    script.disconnect()
    script.add(.command, HCIEncoding.command(0x2027, [0] + identity.octets + key + [UInt8](repeating: 0, count: 16)))
    script.connect(peer: private1)
    script.disconnect()
    let first = script.trace
    #expect(first.links.map(\.peerIdentity) == [nil, identity])
    #expect(first.memory.learnedLate)
    var memory = first.memory
    memory.startSecondPass()
    let second = Trace(script.frames, memory: memory)
    #expect(second.links.map(\.peerIdentity) == [identity, identity])
    #expect(!second.memory.learnedLate)
  }
}
