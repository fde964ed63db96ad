/// pcapng: blocks in sections, each with its own byte order and its own interfaces (captures.md 2).
enum PcapngFormat {
  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
  /// More interfaces than this in a section are passed over: their table must not grow with a hostile file.
  static let interfaceBound = 4096

  static func probe(_ window: inout RecordWindow) -> Probe {
    guard window.have(4), window.u32(0, bigEndian: true) == sectionHeader else { return .notMine }
    guard window.have(12) else {
      return .refused(
        Refusal(
          what: "a pcapng file cut inside its first block (\(window.available) octets)",
          hint: "Copy the file again, after the capture has stopped."
        )
      )
    }
    guard window.u32(8, bigEndian: true) == byteOrderMagic || window.u32(8, bigEndian: false) == byteOrderMagic else {
      return .notMine
    }
    return .mine(.pcapng)
  }
}

/// One interface of the current section.
struct PcapngInterface: Sendable {
  /// Nil where its packets are not read.
  var linkType: HCILinkType?
  var snapLength: UInt32
  /// if_tsresol: the exponent, of two where the top bit is set, else of ten.
  var resolution: UInt8 = 6
  /// if_tsoffset, seconds.
  var offset: Int64 = 0
  /// Packets the capturing program says it lost on it, so far.
  var lost: UInt64 = 0

  /// A time stamp in this interface's units as microseconds since 1970; wraps on nonsense.
  func microseconds(_ ticks: UInt64) -> Int64 {
    let base: Int64
    let exponent = Int(resolution & 0x7F)
    if resolution & 0x80 != 0 {
      if exponent >= 64 {
        base = 0
      } else {
        let seconds = ticks >> UInt64(exponent)
        let rest = ticks & ((1 << UInt64(exponent)) - 1)
        let product = rest.multipliedFullWidth(by: 1_000_000)
        let fraction = exponent == 0 ? 0 : product.low >> UInt64(exponent) | product.high << UInt64(64 - exponent)
        base = Int64(truncatingIfNeeded: seconds &* 1_000_000 &+ fraction)
      }
    } else if exponent >= 6 {
      base = exponent > 25 ? 0 : Int64(truncatingIfNeeded: ticks / Self.power(of10: exponent - 6))
    } else {
      base = Int64(truncatingIfNeeded: ticks &* Self.power(of10: 6 - exponent))
    }
    return base &+ offset &* 1_000_000
  }

  private static func power(of10 exponent: Int) -> UInt64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

/// What the walk over a pcapng file remembers between blocks.
struct PcapngState: Sendable {
  var bigEndian = false
  var interfaces: [PcapngInterface] = []
  /// True once an interface that can be read was described, in any section.
  var hasReadable = false
  /// The link type of the first interface that cannot be read.
  var unreadable: UInt16?
  var adapters = PcapngAdapters()
}

extension CaptureReader {
  /// What one block gave.
  private enum Step {
    case frame(CapturedFrame)
    case passed
    case ended
  }

  /// Walks to the first readable interface; without one the file is refused by the name of what it holds.
  mutating func startPcapng() throws(CaptureError) {
    while !pcapng.hasReadable, !ended { _ = pcapngStep() }
    if !pcapng.hasReadable, let number = pcapng.unreadable {
      throw LinkTypeRefusal.refusal(number, container: "pcapng").error(source.name)
    }
  }

  mutating func nextPcapng() -> CapturedFrame? {
    while true {
      switch pcapngStep() {
      case .frame(let frame): return frame
      case .passed: continue
      case .ended: return nil
      }
    }
  }

  private mutating func pcapngStep() -> Step {
    guard window.have(12) else {
      endAtTail()
      return .ended
    }
    let type = window.u32(0, bigEndian: pcapng.bigEndian)
    if type == PcapngFormat.sectionHeader {
      pcapng.bigEndian = window.u32(8, bigEndian: true) == PcapngFormat.byteOrderMagic
      pcapng.interfaces.removeAll(keepingCapacity: true)
    }
    let bigEndian = pcapng.bigEndian
    let total = window.u32(4, bigEndian: bigEndian)
    // A packet block holds one record; other blocks are skipped unread, so their size needs no bound.
    let isRead = type == 1 || type == 2 || type == 3 || type == 5 || type == 6
    let bound = RecordWindow.recordBound + 65_536
    guard total >= 12, !isRead || Int(total) <= bound else {
      endAtBadLength(Int64(total))
      return .ended
    }
    // The length is padded to four octets; some writers do not count the padding.
    let length = (Int(total) + 3) & ~3
    guard isRead else {
      guard window.skip(length) else {
        ended = true
        let isDamaged = window.source.isUnpacked && window.source.failure != nil
        log.add(
          isDamaged ? .damagedArchive : .truncatedTail,
          frame: frameCount &+ 1,
          amount: isDamaged ? window.taken : 0
        )
        return .ended
      }
      return .passed
    }
    guard window.have(length) else {
      endAtTail()
      return .ended
    }
    guard window.u32(length - 4, bigEndian: bigEndian) == total else {
      endAtBadLength(Int64(total))
      return .ended
    }
    let step: Step
    switch type {
    case 1: step = describeInterface(length)
    case 6: step = packet(length, enhanced: true)
    case 2: step = packet(length, enhanced: false)
    case 5: step = statistics(length)
    default: step = simplePacket(length)
    }
    if !ended { window.take(length) }
    return step
  }

  private mutating func describeInterface(_ length: Int) -> Step {
    guard length >= 20 else { return .passed }
    let bigEndian = pcapng.bigEndian
    guard pcapng.interfaces.count < PcapngFormat.interfaceBound else {
      note(.skippedPart, amount: Int64(pcapng.interfaces.count))
      return .passed
    }
    let number = window.u16(8, bigEndian: bigEndian)
    var interface = PcapngInterface(
      linkType: HCILinkType(rawValue: number),
      snapLength: window.u32(12, bigEndian: bigEndian)
    )
    var place = 16
    while place + 4 <= length - 4 {
      let code = window.u16(place, bigEndian: bigEndian)
      let size = Int(window.u16(place + 2, bigEndian: bigEndian))
      guard code != 0, place + 4 + size <= length - 4 else { break }
      if code == 9, size >= 1 { interface.resolution = window.u8(place + 4) }
      if code == 14, size >= 8 { interface.offset = Int64(bitPattern: window.u64(place + 4, bigEndian: bigEndian)) }
      place += 4 + (size + 3) & ~3
    }
    pcapng.interfaces.append(interface)
    if let type = interface.linkType {
      // Numbers go by the order of the interfaces, not of their first packets.
      if type != .monitor { _ = pcapng.adapters.number(interface: pcapng.interfaces.count - 1, adapter: 0) }
      pcapng.hasReadable = true
    } else {
      if pcapng.unreadable == nil { pcapng.unreadable = number }
      note(.skippedPart, amount: Int64(number))
    }
    return .passed
  }

  /// Enhanced Packet Block, or the obsolete Packet Block, whose interface has 16 bits and a drop count after it.
  private mutating func packet(_ length: Int, enhanced: Bool) -> Step {
    let bigEndian = pcapng.bigEndian
    if length >= 32, window.u32(20, bigEndian: bigEndian) == 0, !goesOnWithEmptyRecord() { return .ended }
    frameCount &+= 1
    guard length >= 32 else { return badBlock(Int64(length)) }
    let index = enhanced ? Int(window.u32(8, bigEndian: bigEndian)) : Int(window.u16(8, bigEndian: bigEndian))
    let ticks = UInt64(window.u32(12, bigEndian: bigEndian)) << 32 | UInt64(window.u32(16, bigEndian: bigEndian))
    let captured = Int(window.u32(20, bigEndian: bigEndian))
    let original = Int(window.u32(24, bigEndian: bigEndian))
    guard captured <= length - 32, captured <= RecordWindow.recordBound else { return badBlock(Int64(captured)) }
    if !enhanced {
      let count = window.u16(10, bigEndian: bigEndian)
      if count != 0, count != 0xFFFF { lost(UInt64(count), on: index) }
    }
    let options = 28 + (captured + 3) & ~3
    let hasOptions = length > options + 4
    if enhanced, hasOptions, let place = option(4, after: options, length, size: 8) {
      lost(window.u64(place, bigEndian: bigEndian), on: index)
    }
    guard index < pcapng.interfaces.count else {
      note(.unknownRecord, amount: Int64(index))
      return .passed
    }
    let interface = pcapng.interfaces[index]
    guard let type = interface.linkType else { return .passed }
    let direction = type == .uart && hasOptions ? packetDirection(after: options, length) : .unknown
    var frame = linkFrame(
      type,
      at: 28,
      captured: captured,
      original: original,
      time: interface.microseconds(ticks),
      direction: direction
    )
    frame.adapter = pcapng.adapters.number(interface: index, adapter: frame.adapter)
    return .frame(frame)
  }

  /// Simple Packet Block: the section's first interface, no time stamp.
  private mutating func simplePacket(_ length: Int) -> Step {
    frameCount &+= 1
    guard length >= 16 else { return badBlock(Int64(length)) }
    guard let interface = pcapng.interfaces.first else {
      note(.unknownRecord, amount: 0)
      return .passed
    }
    guard let type = interface.linkType else { return .passed }
    let original = Int(window.u32(8, bigEndian: pcapng.bigEndian))
    let limit = interface.snapLength == 0 ? Int.max : Int(interface.snapLength)
    let captured = min(original, limit, length - 16)
    guard captured <= RecordWindow.recordBound else { return badBlock(Int64(captured)) }
    // It has no time of its own, so it shares the time of the packet before it.
    let time = lastTime == CaptureClock.year2015 ? 0 : lastTime
    return .frame(
      linkFrame(type, at: 12, captured: captured, original: original, time: time, direction: .unknown)
    )
  }

  /// The block was counted already.
  private mutating func badBlock(_ length: Int64) -> Step {
    ended = true
    note(.badLength, amount: length)
    return .ended
  }

  /// Bits 0 and 1 of option 2: 1 inbound, 2 outbound.
  private func packetDirection(after options: Int, _ length: Int) -> PacketDirection {
    guard let place = option(2, after: options, length, size: 4) else { return .unknown }
    switch window.u32(place, bigEndian: pcapng.bigEndian) & 3 {
    case 1: return .received
    case 2: return .sent
    default: return .unknown
    }
  }

  /// Where the value of an option stands that has `size` octets or more; nil where it is not there.
  private func option(_ wanted: UInt16, after options: Int, _ length: Int, size wantedSize: Int) -> Int? {
    var place = options
    while place + 4 <= length - 4 {
      let code = window.u16(place, bigEndian: pcapng.bigEndian)
      let size = Int(window.u16(place + 2, bigEndian: pcapng.bigEndian))
      guard code != 0, place + 4 + size <= length - 4 else { return nil }
      if code == wanted, size >= wantedSize { return place + 4 }
      place += 4 + (size + 3) & ~3
    }
    return nil
  }

  /// Counts packets that were lost before the packet of an interface that was counted last.
  private mutating func lost(_ count: UInt64, on index: Int) {
    guard count > 0, index < pcapng.interfaces.count, pcapng.interfaces[index].linkType != nil else { return }
    pcapng.interfaces[index].lost &+= count
    addDrops(count)
    note(.droppedPackets, amount: Int64(clamping: count))
  }

  /// Counts lost packets, as many as can be counted.
  private mutating func addDrops(_ count: UInt64) { drops &+= min(count, .max - drops) }

  /// Interface Statistics Block: what the interface and the system lost since its capture began, wherever that was.
  private mutating func statistics(_ length: Int) -> Step {
    guard length >= 24 else { return .passed }
    let bigEndian = pcapng.bigEndian
    let index = Int(window.u32(8, bigEndian: bigEndian))
    guard index < pcapng.interfaces.count, pcapng.interfaces[index].linkType != nil else { return .passed }
    var total: UInt64 = 0
    for code: UInt16 in [5, 7] {
      guard let place = option(code, after: 20, length, size: 8) else { continue }
      let count = window.u64(place, bigEndian: bigEndian)
      // All ones stand for what is not known.
      if count < .max { total &+= count }
    }
    guard total > pcapng.interfaces[index].lost else { return .passed }
    let more = total - pcapng.interfaces[index].lost
    pcapng.interfaces[index].lost = total
    addDrops(more)
    log.add(.droppedPackets, frame: 0, amount: Int64(clamping: more))
    return .passed
  }
}
