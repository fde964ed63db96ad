/// The controllers of a pcapng file: each interface captures others than the next, whatever number it gives them.
///
/// An interface keeps its numbers from section to section, and the number in a Linux monitor header is kept where no
/// other interface has it.
struct PcapngAdapters: Sendable {
  private var numbers: [(key: UInt64, number: UInt16)] = []
  private var last: (key: UInt64, number: UInt16) = (.max, 0)

  /// More than this are not told apart: the table must not grow with a hostile file.
  private static let bound = 64
  /// What belongs to no controller.
  private static let none: UInt16 = 0xFFFF

  /// The number that stands for a controller in the whole file.
  ///
  /// - Parameter adapter: its number on the interface; 0 where the link type has none.
  @inline(__always)
  mutating func number(interface: Int, adapter: UInt16) -> UInt16 {
    let key = UInt64(truncatingIfNeeded: interface) << 16 | UInt64(adapter)
    if key != last.key { last = (key, look(key, adapter)) }
    return last.number
  }

  private mutating func look(_ key: UInt64, _ adapter: UInt16) -> UInt16 {
    if adapter == Self.none { return adapter }
    if let known = numbers.first(where: { $0.key == key }) { return known.number }
    guard numbers.count < Self.bound else { return adapter }
    var free = adapter
    while numbers.contains(where: { $0.number == free }) { free = free &+ 1 }
    numbers.append((key, free))
    return free
  }
}
