import BluetoothWire

/// Redacts advertising data: `length u8 · type u8 · data` structures (Core Supplement Part A 1).
enum AdvertisingRedaction {
  static func redact(_ octets: inout [UInt8], _ range: Range<Int>, _ tools: inout RedactionTools) {
    var at = range.lowerBound
    while at < range.upperBound {
      let length = Int(octets[at])
      if length == 0 { break }
      let end = at + 1 + length
      guard end <= range.upperBound else { return tools.scramble(&octets, at..<range.upperBound) }
      structure(&octets, octets[at + 1], (at + 2)..<end, &tools)
      at = end
    }
  }

  private static func structure(
    _ octets: inout [UInt8],
    _ type: UInt8,
    _ data: Range<Int>,
    _ tools: inout RedactionTools
  ) {
    switch type {
    // Flags, lists of services, TX power, class, connection interval, appearance, advertising interval, role.
    case 0x01...0x07, 0x0A, 0x0D, 0x12, 0x14, 0x15, 0x19, 0x1A, 0x1C, 0x1F: return
    case 0x08, 0x09: tools.alias(text: &octets, data)
    // A company or a service, then what only it understands.
    case 0x16, 0xFF: tools.scramble(&octets, min(data.lowerBound + 2, data.upperBound)..<data.upperBound)
    case 0x20: tools.scramble(&octets, min(data.lowerBound + 4, data.upperBound)..<data.upperBound)
    case 0x21: tools.scramble(&octets, min(data.lowerBound + 16, data.upperBound)..<data.upperBound)
    case 0x1B where data.count == 7:
      tools.alias(address: &octets, at: data.lowerBound, isRandom: octets[data.upperBound - 1] & 1 == 1)
    default: tools.scramble(&octets, data)
    }
  }
}
