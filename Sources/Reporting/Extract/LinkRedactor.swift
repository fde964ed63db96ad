import BluetoothWire
import LinkTrace

/// Redacts the data of one link: puts L2CAP PDUs together, redacts them whole, and puts their octets back into the
/// fragments they came from.
struct LinkRedactor {
  private var attributes: AttributeRedactor
  private let identity: DeviceAddress?
  private var sent = OpenUnit()
  private var received = OpenUnit()
  private var channels: [Channel] = []
  private var channelRequests: [ChannelRequest] = []
  private var bearers: UInt8 = 0

  /// A PDU or service data unit whose octets are not all there yet.
  private struct OpenUnit {
    /// Where its octets are.
    var parts: [Range<Int>] = []
    /// Octets it has in all; 0 while none is open, `max` where its header is not there yet.
    var expected = 0
    /// Octets still to come of one that the logger cut.
    var skipping = 0

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// The octets from `offset`, at most `limit` of them.
    func slice(from offset: Int, limit: Int = .max) -> [Range<Int>] {
      var skip = offset
      var left = limit
      var result: [Range<Int>] = []
      for part in parts where left > 0 {
        if skip >= part.count {
          skip -= part.count
          continue
        }
        let start = part.lowerBound + skip
        let end = min(part.upperBound, start + min(left, part.count))
        skip = 0
        left -= end - start
        result.append(start..<end)
      }
      return result
    }
  }

  /// A credit-based channel that carries ATT.
  private struct Channel {
    var receiveCID: UInt16
    var sendCID: UInt16
    var bearer: UInt8
    var sent = OpenUnit()
    var received = OpenUnit()
  }

  private struct ChannelRequest {
    var identifier: UInt8
    var isReceived: Bool
    var cids: [UInt16]
  }

  init(_ link: SurveyedLink) {
    attributes = AttributeRedactor(link.natures)
    identity = link.identity
  }

  /// Takes one ACL packet; `range` is where it is in `arena`.
  mutating func take(
    _ arena: inout [UInt8],
    _ range: Range<Int>,
    isReceived: Bool,
    _ tools: inout RedactionTools
  ) {
    guard range.count >= 4 else { return }
    let isContinuation = arena[range.lowerBound + 1] >> 4 & 3 == 1
    let dataLength = Int(arena[range.lowerBound + 2]) | Int(arena[range.lowerBound + 3]) << 8
    let payload = (range.lowerBound + 4)..<range.upperBound
    let isCut = payload.count < dataLength
    var unit = OpenUnit()
    swapUnit(&unit, isReceived)
    if isContinuation {
      if unit.skipping > 0 {
        unit.skipping = max(0, unit.skipping - dataLength)
        tools.scramble(&arena, payload)
      } else if unit.expected == 0 {
        tools.scramble(&arena, payload)
      } else {
        unit.parts.append(payload)
        settle(&unit, isCut: isCut, &arena, isReceived, &tools)
      }
    } else {
      abandon(&unit, &arena, isReceived, &tools)
      unit.parts = [payload]
      unit.expected = .max
      settle(&unit, isCut: isCut, &arena, isReceived, &tools)
      if isCut && range.count >= 8 {
        let total = 4 + Int(arena[payload.lowerBound]) + Int(arena[payload.lowerBound + 1]) << 8
        unit.skipping = max(0, total - dataLength)
      }
    }
    swapUnit(&unit, isReceived)
  }

  /// Redacts what is left open when no more frames come.
  mutating func finish(_ arena: inout [UInt8], _ tools: inout RedactionTools) {
    for isReceived in [true, false] {
      var unit = OpenUnit()
      swapUnit(&unit, isReceived)
      abandon(&unit, &arena, isReceived, &tools)
      for position in channels.indices {
        let rest = isReceived ? channels[position].received : channels[position].sent
        guard rest.expected > 0 else { continue }
        Self.redact(rest.slice(from: 0), &arena) { octets in
          attributes.redact(
            &octets,
            from: 0,
            isReceived: isReceived,
            bearer: channels[position].bearer,
            &tools
          )
        }
      }
    }
  }

  private mutating func swapUnit(_ unit: inout OpenUnit, _ isReceived: Bool) {
    if isReceived { swap(&unit, &received) } else { swap(&unit, &sent) }
  }

  private mutating func abandon(
    _ unit: inout OpenUnit,
    _ arena: inout [UInt8],
    _ isReceived: Bool,
    _ tools: inout RedactionTools
  ) {
    if unit.expected > 0 { deliver(unit.parts, &arena, isReceived, &tools) }
    unit = OpenUnit()
  }

  /// Delivers a PDU that is complete or that cannot become so.
  private mutating func settle(
    _ unit: inout OpenUnit,
    isCut: Bool,
    _ arena: inout [UInt8],
    _ isReceived: Bool,
    _ tools: inout RedactionTools
  ) {
    let count = unit.count
    if unit.expected == .max, count >= 4 {
      let header = unit.slice(from: 0, limit: 2).flatMap { arena[$0] }
      unit.expected = 4 + Int(header[0]) + Int(header[1]) << 8
    }
    guard count >= unit.expected || isCut else { return }
    let total = unit.expected
    deliver(unit.slice(from: 0, limit: total), &arena, isReceived, &tools)
    for rest in unit.slice(from: total == .max ? count : total) { tools.scramble(&arena, rest) }
    unit = OpenUnit()
  }

  private static func redact(_ parts: [Range<Int>], _ arena: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    var octets = parts.flatMap { arena[$0] }
    let count = octets.count
    body(&octets)
    guard octets.count == count else { return }
    var at = 0
    for part in parts {
      arena.replaceSubrange(part, with: octets[at..<(at + part.count)])
      at += part.count
    }
  }

  // MARK: Channels

  private mutating func deliver(
    _ parts: [Range<Int>],
    _ arena: inout [UInt8],
    _ isReceived: Bool,
    _ tools: inout RedactionTools
  ) {
    let header = parts.flatMap { arena[$0] }.prefix(4)
    guard header.count == 4 else { return }
    let channel = UInt16(header[2]) | UInt16(header[3]) << 8
    if let position = channels.lastIndex(where: { isReceived ? $0.receiveCID == channel : $0.sendCID == channel }) {
      return segment(position, parts, &arena, isReceived, &tools)
    }
    var octets = parts.flatMap { arena[$0] }
    switch channel {
    case 0x0004: attributes.redact(&octets, from: 4, isReceived: isReceived, bearer: 0, &tools)
    case 0x0005: signalling(octets, isReceived)
    case 0x0006: security(&octets, isReceived, &tools)
    default: tools.scramble(&octets, 4..<octets.count)
    }
    Self.redact(parts, &arena) { $0 = octets }
  }

  /// Pairing keeps its features and its failure; what proves and what is distributed is emptied (Core Vol 3 Part H 3.5, 3.6).
  private func security(_ octets: inout [UInt8], _ isReceived: Bool, _ tools: inout RedactionTools) {
    guard octets.count >= 5 else { return }
    switch octets[4] {
    case 0x01, 0x02, 0x05, 0x0B, 0x0E: return
    case 0x08 where isReceived && octets.count >= 21 && octets[5...].contains { $0 != 0 }:
      // The key that resolves the peer's aliases; this host's own is not needed.
      guard let identity else { return tools.zero(&octets, 5..<octets.count) }
      octets.replaceSubrange(5..<21, with: tools.addresses.identityKey(identity))
      tools.zero(&octets, 21..<octets.count)
    case 0x09 where octets.count >= 6:
      tools.alias(address: &octets, at: 6, isRandom: octets[5] & 1 == 1)
    default: tools.zero(&octets, 5..<octets.count)
    }
  }

  /// Follows the opening of enhanced bearers (Core Vol 3 Part A 4.25, 4.26, Part F 3.2.11).
  private mutating func signalling(_ octets: [UInt8], _ isReceived: Bool) {
    guard octets.count >= 8 else { return }
    func word(_ at: Int) -> UInt16 { UInt16(octets[at]) | UInt16(octets[at + 1]) << 8 }
    let identifiers = stride(from: 16, to: octets.count - 1, by: 2).prefix(5).map(word)
    switch octets[4] {
    case 0x17 where octets.count >= 16 && word(8) == 0x0027:
      if channelRequests.count >= 8 { channelRequests.removeFirst() }
      channelRequests.append(ChannelRequest(identifier: octets[5], isReceived: isReceived, cids: identifiers))
    case 0x18:
      guard
        let position = channelRequests.lastIndex(where: {
          $0.identifier == octets[5] && $0.isReceived != isReceived
        })
      else { return }
      let request = channelRequests.remove(at: position)
      for (source, destination) in zip(request.cids, identifiers) where destination != 0 && bearers < 60 {
        bearers += 1
        channels.append(
          Channel(
            receiveCID: isReceived ? source : destination,
            sendCID: isReceived ? destination : source,
            bearer: bearers
          )
        )
      }
    case 0x06 where octets.count >= 12:
      let (one, other) = (word(8), word(10))
      channels.removeAll {
        isReceived ? $0.receiveCID == one && $0.sendCID == other : $0.sendCID == one && $0.receiveCID == other
      }
    default: return
    }
  }

  /// Takes one K-frame (Core Vol 3 Part A 3.4.3).
  private mutating func segment(
    _ position: Int,
    _ parts: [Range<Int>],
    _ arena: inout [UInt8],
    _ isReceived: Bool,
    _ tools: inout RedactionTools
  ) {
    var frame = OpenUnit()
    frame.parts = parts
    var unit = isReceived ? channels[position].received : channels[position].sent
    if unit.expected == 0 {
      let length = frame.slice(from: 4, limit: 2).flatMap { arena[$0] }
      guard length.count == 2 else { return }
      unit.expected = Int(length[0]) + Int(length[1]) << 8
      unit.parts = frame.slice(from: 6)
    } else {
      unit.parts += frame.slice(from: 4)
    }
    if unit.count >= unit.expected {
      let bearer = channels[position].bearer
      let expected = unit.expected
      Self.redact(unit.slice(from: 0, limit: expected), &arena) { octets in
        attributes.redact(&octets, from: 0, isReceived: isReceived, bearer: bearer, &tools)
      }
      for rest in unit.slice(from: expected) { tools.scramble(&arena, rest) }
      unit = OpenUnit()
    }
    if isReceived { channels[position].received = unit } else { channels[position].sent = unit }
  }
}
