import CaptureFiles
import Testing

/// A block of pcapng in either byte order.
private func block(_ type: UInt32, _ body: [UInt8], big: Bool = false) -> [UInt8] {
  let padded = body + [UInt8](repeating: 0, count: -body.count & 3)
  let total = UInt32(padded.count + 12)
  return u32(type, big) + u32(total, big) + padded + u32(total, big)
}

private func u32(_ value: UInt32, _ big: Bool = false) -> [UInt8] {
  let octets = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  return big ? octets.reversed() : octets
}

private func u16(_ value: UInt16, _ big: Bool = false) -> [UInt8] {
  Array(u32(UInt32(value), big)[big ? 2..<4 : 0..<2])
}

private func section(big: Bool = false) -> [UInt8] {
  block(0x0A0D_0D0A, u32(0x1A2B_3C4D, big) + u16(1, big) + u16(0, big) + [UInt8](repeating: 0xFF, count: 8), big: big)
}

private func interface(_ type: UInt16, _ options: [UInt8] = [], big: Bool = false) -> [UInt8] {
  block(1, u16(type, big) + u16(0, big) + u32(0, big) + options, big: big)
}

private func packet(
  _ index: UInt32,
  _ ticks: UInt64,
  _ data: [UInt8],
  _ options: [UInt8] = [],
  big: Bool = false
) -> [UInt8] {
  var body = u32(index, big) + u32(UInt32(ticks >> 32), big) + u32(UInt32(truncatingIfNeeded: ticks), big)
  body += u32(UInt32(data.count), big) + u32(UInt32(data.count), big) + data
  body += [UInt8](repeating: 0, count: -data.count & 3) + options
  return block(6, body, big: big)
}

private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]

private let seconds: UInt64 = 1_764_460_800

/// if_tsresol and the time stamp of midnight in its units.
private let resolutions: [(UInt8, UInt64)] = [
  (9, seconds * 1_000_000_000), (3, seconds * 1_000), (0, seconds), (0x80 | 10, seconds << 10), (0x80, seconds),
]

@Suite struct PcapngTests {
  /// epb_dropcount: packets lost before this one (pcapng, 4.3).
  @Test(arguments: [false, true])
  func packetsThatWereLostBeforeAnother(big: Bool) throws {
    let comment: [UInt8] = u16(1, big) + u16(2, big) + [0x61, 0x62, 0, 0]
    let number: [UInt8] = big ? u32(0, big) + u32(3, big) : u32(3) + u32(0)
    let lost: [UInt8] = u16(4, big) + u16(8, big) + number + u32(0)
    var file = section(big: big) + interface(187, big: big)
    file += packet(0, UInt64(midnight), reset, big: big)
    file += packet(0, UInt64(midnight), reset, comment + lost, big: big)
    let walk = try Walk(file)
    #expect(walk.frames.count == 2)
    #expect(walk.drops == 3)
    #expect(walk.notes == [CaptureNote(.droppedPackets, frame: 2, amount: 3)])
  }

  /// isb_ifdrop and isb_osdrop count from the beginning: what packets told already is part of them (pcapng, 4.6).
  @Test func whatTheInterfaceLost() throws {
    func count(_ code: UInt16, _ low: UInt32, _ high: UInt32 = 0) -> [UInt8] {
      [u16(code), u16(8), u32(low), u32(high)].flatMap { $0 }
    }
    func statistics(_ index: UInt32, _ lost: [(UInt16, UInt32)]) -> [UInt8] {
      var body = u32(index) + u32(0) + u32(0)
      for entry in lost { body += count(entry.0, entry.1) }
      return block(5, body + u32(0))
    }
    var file = section() + interface(1) + interface(187)
    file += packet(1, UInt64(midnight), reset, count(4, 3) + u32(0))
    file += statistics(0, [(5, 1_000)]) + statistics(1, [(4, 90), (5, 5), (7, 2)]) + statistics(1, [(5, 5), (7, 2)])
    file += statistics(9, [(5, 1)])
    let walk = try Walk(file)
    #expect(walk.drops == 7)
    #expect(walk.notes.filter { $0.kind == .droppedPackets }.map(\.amount) == [3, 4])
    #expect(walk.notes.last { $0.kind == .droppedPackets }?.frame == 0)
    // All ones are no number, and numbers beyond what can be counted stop at the highest.
    let huge = packet(1, UInt64(midnight), reset, count(4, .max, .max) + u32(0))
    #expect(try Walk(section() + interface(1) + interface(187) + huge + huge + huge).drops == .max)
  }

  @Test func sectionsOfBothByteOrdersAndInterfacesOfSeveralTypes() throws {
    var file = section() + interface(1) + interface(187) + interface(201)
    file += packet(0, 0, [1, 2, 3]) + packet(1, UInt64(midnight), reset)
    file += packet(2, UInt64(midnight), [0, 0, 0, 1, 2, 0x40, 0x00, 0, 0])
    file += section(big: true) + interface(254, big: true)
    file += packet(0, UInt64(midnight), [0, 3, 0, 5, 0x40, 0x20, 0, 0], big: true)
    let walk = try Walk(file)
    #expect(walk.frames.map(\.kind) == [.command, .aclReceived, .aclReceived])
    #expect(walk.frames.map(\.number) == [2, 3, 4])
    #expect(walk.frames[2].adapter == 3)
    #expect(walk.notes == [CaptureNote(.skippedPart, frame: 0, amount: 1)])
  }

  @Test(arguments: resolutions)
  func timeStampsOfEveryResolution(_ resolution: UInt8, _ ticks: UInt64) throws {
    let options = u16(9) + u16(1) + [resolution, 0, 0, 0] + u32(0)
    let walk = try Walk(section() + interface(187, options) + packet(0, ticks, reset))
    #expect(walk.frames.map(\.time) == [midnight])
  }

  @Test func timeOffset() throws {
    let options = u16(14) + u16(8) + u32(3600) + u32(0)
    let walk = try Walk(section() + interface(187, options) + packet(0, UInt64(midnight), reset))
    #expect(walk.frames.map(\.time) == [midnight + 3_600_000_000])
  }

  /// Each interface captures another controller, whatever number a header gives it.
  @Test func interfacesAreControllersOfTheirOwn() throws {
    let monitor: [UInt8] = [0, 0, 0, 2] + reset.dropFirst()
    let directed: [UInt8] = [0, 0, 0, 0] + reset
    var file = section() + interface(201) + interface(201) + interface(254) + interface(254)
    // The second interface is heard of first.
    for index in [1, 0, 1] as [UInt32] { file += packet(index, UInt64(midnight), directed) }
    for index in [2, 3, 2] as [UInt32] { file += packet(index, UInt64(midnight), monitor) }
    file += section() + interface(201) + packet(0, UInt64(midnight), directed)
    #expect(try Walk(file).frames.map(\.adapter) == [1, 0, 1, 2, 3, 2, 0])
    let one = section() + interface(254) + packet(0, UInt64(midnight), [0, 7, 0, 2] + reset.dropFirst())
    #expect(try Walk(one).frames.map(\.adapter) == [7])
  }

  @Test func directionOfLinkType187() throws {
    let acl: (UInt8) -> [UInt8] = { [0x02, 0x40, $0 << 4, 0, 0] }
    let inbound = u16(2) + u16(4) + u32(1) + u32(0)
    let outbound = u16(2) + u16(4) + u32(2) + u32(0)
    var file = section() + interface(187)
    for (flag, options) in [(UInt8(0), []), (2, []), (1, []), (0, inbound), (2, outbound), (1, outbound)] {
      file += packet(0, UInt64(midnight), acl(flag), options)
    }
    #expect(
      try Walk(file).frames.map(\.kind) == [
        .aclSent, .aclReceived, .aclUndirected, .aclReceived, .aclSent, .aclSent,
      ]
    )
  }

  @Test func simpleAndObsoletePackets() throws {
    var old = u16(0) + u16(3) + u32(UInt32(UInt64(midnight) >> 32))
    old += u32(UInt32(truncatingIfNeeded: midnight)) + u32(4) + u32(4) + reset
    let walk = try Walk(section() + interface(187) + block(2, old) + block(3, u32(4) + reset))
    #expect(walk.frames.map(\.kind) == [.command, .command])
    #expect(walk.frames.map(\.time) == [midnight, midnight])
    #expect(walk.notes == [CaptureNote(.droppedPackets, frame: 1, amount: 3)])
  }

  @Test func unknownBlocksAreSkippedWhateverTheirSize() throws {
    let large = block(0x0BAD, [UInt8](repeating: 7, count: 3 << 20))
    let walk = try Walk(section() + interface(187) + large + packet(0, UInt64(midnight), reset))
    #expect(walk.frames.count == 1)
    #expect(walk.notes.isEmpty)
  }

  @Test func whatFollowsTheLastBlockIsNotedBehindIt() throws {
    let whole = section() + interface(201) + packet(0, seconds * 1_000_000, [0, 0, 0, 0] + reset)
    #expect(try Walk(whole).notes.isEmpty)
    let walk = try Walk(whole + [UInt8](repeating: 0xFF, count: 100))
    #expect(walk.frames.count == 1)
    #expect(walk.notes == [CaptureNote(.truncatedTail, frame: 2, amount: 0)])
  }

  @Test func onlyUnreadableInterfacesAreRefusedByName() {
    let error = #expect(throws: CaptureError.self) { try Walk(section() + interface(272) + packet(0, 0, [1])) }
    #expect(error?.kind == .refused)
    #expect(error?.message.contains("Nordic sniffer") == true)
  }
}
