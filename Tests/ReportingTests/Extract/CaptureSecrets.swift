import BluetoothWire
import CaptureFiles

/// What a capture says of persons and devices, found in its octets without the code under test.
struct CaptureSecrets {
  /// By what they are: octets that a redacted file must not hold in either order.
  private(set) var secrets: [(what: String, octets: [UInt8])] = []

  init(_ capture: [UInt8]) throws {
    var reader = try CaptureReader.open(.memory(capture, name: "capture"))
    while let frame = reader.next() {
      let octets = reader.bytes(of: frame).copied()
      switch frame.kind {
      case .aclSent, .aclReceived: data(octets)
      case .event: event(octets)
      case .command: command(octets)
      case .adapterAdded: add("controller address", octets.dropFirst(2).prefix(6))
      case .adapterInformation: add("controller address", octets.prefix(6))
      default: continue
      }
    }
  }

  mutating func add(_ what: String, _ octets: some Sequence<UInt8>) {
    let octets = Array(octets)
    // Emptied and very short fields are nobody's.
    guard octets.count >= 4, Set(octets).count > 1, !secrets.contains(where: { $0.octets == octets }) else { return }
    secrets.append((what, octets))
  }

  private mutating func data(_ octets: [UInt8]) {
    guard octets.count > 9, octets[5] == 0 else { return }
    let payload = octets.dropFirst(8)
    switch (octets[6], octets[8]) {
    case (6, 0x03), (6, 0x04), (6, 0x06), (6, 0x08), (6, 0x0A), (6, 0x0C), (6, 0x0D):
      add("pairing \(octets[8])", payload.dropFirst().prefix(16))
    case (6, 0x09): add("identity address", payload.dropFirst(2).prefix(6))
    default: return
    }
  }

  private mutating func event(_ octets: [UInt8]) {
    guard octets.count > 4, octets[0] == 0x3E else {
      if octets.count >= 12, octets[0] == 0x0E, octets[3] == 0x09, octets[4] == 0x10 {
        add("controller address", octets[6..<12])
      }
      return
    }
    switch octets[2] {
    case 0x01: add("peer", octets[8..<14])
    case 0x0A, 0x29:
      add("peer", octets[8..<14])
      add("local private address", octets[14..<20])
      add("peer private address", octets[20..<26])
    case 0x02 where octets.count > 13: add("advertiser", octets[6..<12])
    case 0x0D where octets.count > 14: add("advertiser", octets[7..<13])
    default: return
    }
  }

  private mutating func command(_ octets: [UInt8]) {
    guard octets.count > 4 else { return }
    switch (octets[0], octets[1]) {
    case (0x19, 0x20): add("long-term key", octets.dropFirst(15))
    case (0x1A, 0x20): add("long-term key", octets.dropFirst(5))
    case (0x27, 0x20):
      add("identity address", octets.dropFirst(4).prefix(6))
      add("identity key", octets.dropFirst(10).prefix(16))
      add("local identity key", octets.dropFirst(26).prefix(16))
    case (0x05, 0x20): add("own random address", octets.dropFirst(3))
    case (0x0D, 0x20): add("peer", octets.dropFirst(9).prefix(6))
    default: return
    }
  }

  /// The secrets that are in a file.
  func found(in file: [UInt8]) -> [String] {
    secrets.filter { Self.contains(file, $0.octets) || Self.contains(file, $0.octets.reversed()) }
      .map { $0.what + " " + hex($0.octets) }
  }

  static func contains(_ file: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard let first = pattern.first, file.count >= pattern.count else { return false }
    let limit = file.count - pattern.count
    var at = 0
    while at <= limit {
      if file[at] == first {
        var length = 1
        while length < pattern.count && file[at + length] == pattern[length] { length += 1 }
        if length == pattern.count { return true }
      }
      at += 1
    }
    return false
  }
}
