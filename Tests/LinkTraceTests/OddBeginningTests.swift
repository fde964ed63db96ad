import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// Links that begin in ways a capture seldom shows.
@Suite struct OddBeginningTests {
  private static let peer = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  private static let head: [UInt8] = [0, 0x40, 0x00, 0, 1] + peer.octets
  private static let parameters: [UInt8] = [0x18, 0, 0, 0, 0x2A, 0, 0]

  /// LE Connection Complete, Enhanced Connection Complete version 1 and 2 (Core Vol 4 Part E 7.7.65).
  @Test(arguments: [0x01, 0x0A, 0x29] as [UInt8])
  func everyEventOfALink(_ subevent: UInt8) throws {
    var octets = Self.head
    if subevent != 0x01 { octets += [UInt8](repeating: 0, count: 12) }
    octets += Self.parameters
    if subevent == 0x29 { octets += [0x01, 0xFF, 0xFF] }
    var script = Script()
    script.add(.event, HCIEncoding.lowEnergyEvent(subevent, octets))
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    let start = try #require(script.trace.links.first?.start)
    #expect(start.peer == Self.peer && start.isCentral)
    #expect(start.interval == 0x18 && start.supervisionTimeout == 0x2A)
  }

  /// What a short snap length leaves of the event still says who the peer is.
  @Test(arguments: [0x01, 0x0A, 0x29] as [UInt8], [14, 17, 19])
  func aCutEventOfALink(_ subevent: UInt8, _ kept: Int) throws {
    let filler = [UInt8](repeating: 0, count: subevent == 0x01 ? 0 : 12)
    let octets = HCIEncoding.lowEnergyEvent(subevent, Self.head + filler + Self.parameters)
    var script = Script()
    script.add(.event, Array(octets.prefix(kept)), original: octets.count)
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    let links = script.trace.links
    #expect(links.count == 1)
    let start = try #require(links.first?.start)
    #expect(start.peer == Self.peer && start.isCentral)
    #expect(start.interval == 0 && start.latency == 0 && start.supervisionTimeout == 0)
  }

  /// An event that is too short and was not cut is no event of a link.
  @Test func aShortEventOfALink() {
    var script = Script()
    script.add(.event, HCIEncoding.lowEnergyEvent(0x01, Self.head))
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    #expect(script.trace.links.allSatisfy { $0.start == nil })
  }

  /// Data and events of a USB controller come over different pipes.
  @Test func dataBeforeTheEventOfItsLink() throws {
    var script = Script()
    script.received([0x02, 0x00, 0x02])
    script.connect()
    script.sent([0x03, 0xB9, 0x00])
    script.received([0x1B, 0x0B, 0x00] + measurement(1))
    let links = script.trace.links
    #expect(links.map(\.number) == [1])
    let link = try #require(links.first)
    #expect(link.start?.frame == 2 && link.firstFrame == 1)
    #expect(link.pdus.map(\.opcode) == [.exchangeMTURequest, .exchangeMTUResponse, .notification])
  }

  @Test func aLinkFromBeforeTheCaptureIsAnother() {
    var sending = Script()
    sending.received([0x1B, 0x0B, 0x00] + measurement(1))
    sending.sent([0x0A, 0x03, 0x00])
    sending.connect()
    #expect(sending.trace.links.map { $0.start == nil } == [true, false])
    var old = Script()
    old.received([0x1B, 0x0B, 0x00] + measurement(1))
    old.time += 200_000
    old.connect()
    #expect(old.trace.links.map { $0.start == nil } == [true, false])
  }

  /// A sensor that advertises with an advertising set has the address of that set.
  @Test func theAddressOfAnAdvertisingSet() throws {
    let own = DeviceAddress(value: 0xF00D_CAFE_0077, isRandom: true)
    var script = Script()
    script.add(.command, HCIEncoding.command(0x2005, DeviceAddress(value: 0x4000_0000_0001, isRandom: true).octets))
    script.add(.command, HCIEncoding.command(0x2035, [1] + own.octets))
    script.add(.event, HCIEncoding.lowEnergyEvent(0x01, [0, 0x40, 0, 1, 0] + Self.peer.octets + Self.parameters))
    script.received([0x0A, 0x03, 0x00])
    script.disconnect()
    script.connect()
    let links = script.trace.links
    #expect(links.map(\.localAddress) == [own, DeviceAddress(value: 0x4000_0000_0001, isRandom: true)])
  }
}
