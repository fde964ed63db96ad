import BluetoothWire
import HealthProfiles

/// What the last advertisers said of themselves: a fixed number of cells, so that a day of advertising costs nothing.
struct AdvertisedNames: Sendable {
  private var addresses: [UInt64] = []
  private var names: [[UInt8]] = []
  private var offersHealth: [Bool] = []
  private static let cells = 512

  private static func cell(_ address: UInt64) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 55)
  }

  /// Reads AD structures: local name, and 16-bit service UUIDs (Core Supplement Part A 1.1, 1.2).
  mutating func learn(_ address: DeviceAddress, _ data: RawSpan) {
    var structures = AdvertisingStructures()
    while let structure = structures.next(in: data) {
      let content = data.extracting(structure.content)
      switch structure.type {
      case 0x02, 0x03: if Self.listsHealth(content) { offersHealth[claim(address.value)] = true }
      case 0x08: remember(address.value, content, isComplete: false)
      case 0x09: remember(address.value, content, isComplete: true)
      default: break
      }
    }
  }

  /// The local name in AD structures; nil where there is none.
  static func name(in data: RawSpan) -> [UInt8]? {
    var structures = AdvertisingStructures()
    while let (type, content) = structures.next(in: data) {
      if type == 0x08 || type == 0x09, !content.isEmpty { return data.extracting(content).copied() }
    }
    return nil
  }

  /// True where AD structures name a service of a health device.
  static func namesHealth(_ data: RawSpan) -> Bool {
    var structures = AdvertisingStructures()
    while let (type, content) = structures.next(in: data) {
      if type == 0x02 || type == 0x03, listsHealth(data.extracting(content)) { return true }
    }
    return false
  }

  /// True where AD structures give the whole list of 16-bit service UUIDs, and none is that of a health device.
  static func namesOthersOnly(_ data: RawSpan) -> Bool {
    var structures = AdvertisingStructures()
    var isWhole = false
    while let structure = structures.next(in: data) { if structure.type == 0x03 { isWhole = true } }
    return isWhole && !namesHealth(data)
  }

  /// True where one of a list of 16-bit UUIDs is that of a health device.
  private static func listsHealth(_ list: RawSpan) -> Bool {
    var at = 0
    while at + 2 <= list.byteCount {
      if AssignedNumbers.isHealthService(list.u16(at: at)) { return true }
      at += 2
    }
    return false
  }

  private mutating func remember(_ address: UInt64, _ name: RawSpan, isComplete: Bool) {
    guard name.byteCount > 0 else { return }
    let cell = claim(address)
    if !names[cell].isEmpty && (!isComplete || names[cell].count >= name.byteCount) { return }
    names[cell] = name.copied()
    // Names padded to a fixed field end in zeros that are no part of them.
    while names[cell].last == 0 { names[cell].removeLast() }
  }

  /// The cell of an address, emptied where another address had it.
  private mutating func claim(_ address: UInt64) -> Int {
    if addresses.isEmpty {
      addresses = Array(repeating: .max, count: Self.cells)
      names = Array(repeating: [], count: Self.cells)
      offersHealth = Array(repeating: false, count: Self.cells)
    }
    let cell = Self.cell(address)
    if addresses[cell] != address {
      addresses[cell] = address
      names[cell] = []
      offersHealth[cell] = false
    }
    return cell
  }

  /// The name last advertised under an address; nil where none was seen.
  func name(of address: DeviceAddress) -> [UInt8]? {
    guard !addresses.isEmpty else { return nil }
    let cell = Self.cell(address.value)
    return addresses[cell] == address.value && !names[cell].isEmpty ? names[cell] : nil
  }

  /// True where an address advertised a service of a health device.
  func offersHealth(_ address: DeviceAddress) -> Bool {
    guard !addresses.isEmpty else { return false }
    let cell = Self.cell(address.value)
    return addresses[cell] == address.value && offersHealth[cell]
  }
}
