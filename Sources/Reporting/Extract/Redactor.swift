import BluetoothWire
import CaptureFiles

/// Redacts the frames of an extract in place: the story they tell stays, who it is about does not.
struct Redactor {
  private var tools: RedactionTools
  private var links: [LinkRedactor]

  init(_ key: RedactionKey, _ links: [SurveyedLink], _ shift: DateShift) {
    tools = RedactionTools(key, links, shift)
    self.links = links.map { LinkRedactor($0) }
  }

  mutating func redact(_ frames: inout ExtractedFrames) {
    for index in frames.records.indices {
      frames.records[index].time &+= tools.shift.microseconds
      let record = frames.records[index]
      switch record.kind {
      case .aclSent, .aclReceived:
        guard let link = record.link else { continue }
        links[link].take(&frames.octets, record.range, isReceived: record.kind == .aclReceived, &tools)
      case .command: Self.replace(record.range, &frames) { command(&$0) }
      case .event: Self.replace(record.range, &frames) { event(&$0) }
      case .adapterAdded: Self.replace(record.range, &frames) { tools.alias(address: &$0, at: 2, isRandom: false) }
      case .adapterInformation:
        Self.replace(record.range, &frames) { tools.alias(address: &$0, at: 0, isRandom: false) }
      default: continue
      }
    }
    for link in links.indices { links[link].finish(&frames.octets, &tools) }
  }

  private static func replace(
    _ range: Range<Int>,
    _ frames: inout ExtractedFrames,
    _ body: (inout [UInt8]) -> Void
  ) {
    var octets = Array(frames.octets[range])
    body(&octets)
    if octets.count == range.count { frames.octets.replaceSubrange(range, with: octets) }
  }

  private mutating func command(_ octets: inout [UInt8]) {
    guard octets.count >= 3 else { return }
    switch UInt16(octets[0]) | UInt16(octets[1]) << 8 {
    case 0x2005: tools.alias(address: &octets, at: 3, isRandom: true)
    case 0x200D where octets.count >= 9: tools.alias(address: &octets, at: 9, isRandom: octets[8] & 1 == 1)
    case 0x2043 where octets.count >= 6: tools.alias(address: &octets, at: 6, isRandom: octets[5] & 1 == 1)
    case 0x2085 where octets.count >= 8: tools.alias(address: &octets, at: 8, isRandom: octets[7] & 1 == 1)
    case 0x2019:
      bond(&octets, at: 5)
      tools.zero(&octets, 15..<max(15, octets.count))
    case 0x2027 where octets.count >= 10: resolvingList(&octets)
    case let opCode where OwnAdvertising.opCodes.contains(opCode): OwnAdvertising.redact(&octets, opCode, &tools)
    default: unsafe tools.zero(&octets, KeyPlaces.command(octets.span.bytes))
    }
  }

  /// Random number and EDIV, which name a legacy bond; zeros, which say that there is none, stay.
  private func bond(_ octets: inout [UInt8], at offset: Int) {
    let end = min(octets.count, offset + 10)
    guard offset < end, octets[offset..<end].contains(where: { $0 != 0 }) else { return }
    let alias = tools.key.stream(.bond, octets[offset..<end], count: end - offset)
    octets.replaceSubrange(offset..<end, with: alias)
    octets[offset] |= 1
  }

  /// The identity's alias with the key that resolves its other aliases; the local key is emptied.
  private mutating func resolvingList(_ octets: inout [UInt8]) {
    let isRandom = octets[3] & 1 == 1
    let identity = unsafe DeviceAddress(octets.span.bytes, at: 4, isRandom: isRandom)
    tools.alias(address: &octets, at: 4, isRandom: isRandom)
    guard octets.count >= 26 else { return tools.zero(&octets, 10..<octets.count) }
    if octets[10..<26].contains(where: { $0 != 0 }) {
      octets.replaceSubrange(10..<26, with: tools.addresses.identityKey(identity))
    }
    tools.zero(&octets, 26..<octets.count)
  }

  private mutating func event(_ octets: inout [UInt8]) {
    guard octets.count >= 4 else { return }
    switch octets[0] {
    case 0x0E where octets.count >= 12 && octets[3] == 0x09 && octets[4] == 0x10:
      tools.alias(address: &octets, at: 6, isRandom: false)
    case 0x3E: lowEnergyEvent(&octets)
    default: unsafe tools.zero(&octets, KeyPlaces.event(octets.span.bytes))
    }
  }

  private mutating func lowEnergyEvent(_ octets: inout [UInt8]) {
    switch octets[2] {
    case 0x01 where octets.count >= 8: tools.alias(address: &octets, at: 8, isRandom: octets[7] & 1 == 1)
    case 0x0A, 0x29:
      guard octets.count >= 8 else { return }
      tools.alias(address: &octets, at: 8, isRandom: octets[7] & 1 == 1)
      if octets.count > 14 { tools.alias(address: &octets, at: 14, isRandom: true) }
      if octets.count > 20 { tools.alias(address: &octets, at: 20, isRandom: true) }
    case 0x05: bond(&octets, at: 5)
    case 0x02, 0x0D: advertising(&octets)
    default: unsafe tools.zero(&octets, KeyPlaces.event(octets.span.bytes))
    }
  }

  private mutating func advertising(_ octets: inout [UInt8]) {
    let reports = unsafe AdvertisingReports(octets.span.bytes).reports
    // What cannot be told apart leaves nothing behind.
    if reports.isEmpty { return tools.zero(&octets, 4..<octets.count) }
    for report in reports {
      tools.alias(address: &octets, at: report.addressStart, isRandom: report.address.isRandom)
      if let direct = report.directStart {
        tools.alias(address: &octets, at: direct, isRandom: octets[direct - 1] & 1 == 1)
      }
      AdvertisingRedaction.redact(
        &octets,
        report.dataStart..<(report.dataStart + report.dataCount),
        &tools
      )
    }
  }
}
