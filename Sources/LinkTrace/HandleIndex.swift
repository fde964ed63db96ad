/// Finds the slot of a handle in a link's traffic table: open addressing, no allocation while it does not grow.
struct HandleIndex: Sendable {
  /// Keys plus one, so that zero is an empty cell.
  private var keys: [UInt32] = Array(repeating: 0, count: 64)
  private var slots: [UInt16] = Array(repeating: 0, count: 64)
  private var count = 0

  /// More handles than any server here has had; what comes beyond is counted together.
  static let limit = 8192

  static func key(_ handle: UInt16, _ server: Side) -> UInt32 {
    (UInt32(handle) << 1 | UInt32(server.rawValue)) + 1
  }

  /// The slot stored for `key`, or nil.
  func slot(_ key: UInt32) -> Int? {
    let mask = keys.count - 1
    var cell = Int((key &* 0x9E37_79B1) >> 7) & mask
    while keys[cell] != 0 {
      if keys[cell] == key { return Int(slots[cell]) }
      cell = (cell + 1) & mask
    }
    return nil
  }

  mutating func insert(_ key: UInt32, slot: Int) {
    if (count + 1) * 2 > keys.count { grow() }
    place(key, UInt16(slot))
    count += 1
  }

  private mutating func place(_ key: UInt32, _ slot: UInt16) {
    let mask = keys.count - 1
    var cell = Int((key &* 0x9E37_79B1) >> 7) & mask
    while keys[cell] != 0 { cell = (cell + 1) & mask }
    keys[cell] = key
    slots[cell] = slot
  }

  private mutating func grow() {
    let oldKeys = keys
    let oldSlots = slots
    keys = Array(repeating: 0, count: oldKeys.count * 2)
    slots = Array(repeating: 0, count: oldKeys.count * 2)
    for (cell, key) in oldKeys.enumerated() where key != 0 { place(key, oldSlots[cell]) }
  }

  /// Empties the index and keeps its storage.
  mutating func removeAll() {
    for cell in keys.indices { keys[cell] = 0 }
    count = 0
  }
}
