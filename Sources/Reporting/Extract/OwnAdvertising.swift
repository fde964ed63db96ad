/// The commands by which a host says what it advertises, and under which address (Core Vol 4 Part E 7.8.7, 7.8.8, 7.8.52
/// to 7.8.55).
enum OwnAdvertising {
  /// LE Set Advertising Data and Scan Response Data, the same of a set, and a set's random address.
  static let opCodes: [UInt16] = [0x2008, 0x2009, 0x2037, 0x2038, 0x2035]

  static func redact(_ octets: inout [UInt8], _ opCode: UInt16, _ tools: inout RedactionTools) {
    switch opCode {
    case 0x2035: if octets.count >= 10 { tools.alias(address: &octets, at: 4, isRandom: true) }
    case 0x2008, 0x2009: data(&octets, at: 4, &tools)
    default: data(&octets, at: 7, &tools)
    }
  }

  /// What stands behind the length octet; what follows the data is padding, and emptied.
  private static func data(_ octets: inout [UInt8], at start: Int, _ tools: inout RedactionTools) {
    guard start <= octets.count else { return }
    let end = min(octets.count, start + Int(octets[start - 1]))
    AdvertisingRedaction.redact(&octets, start..<end, &tools)
    tools.zero(&octets, end..<octets.count)
  }
}
