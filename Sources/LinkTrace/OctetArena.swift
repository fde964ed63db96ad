import BluetoothWire

/// The octets of a link's values, one behind the other.
///
/// Room is made a piece at a time and filled with zeros, so that a value costs a copy and no growth of its own.
public struct OctetArena: Sendable {
  /// What is written, and the room that is left behind it.
  private var storage: [UInt8] = []
  /// How many octets are written.
  public private(set) var count = 0

  public init() {}

  /// Every octet written.
  public var bytes: RawSpan {
    @_lifetime(borrow self) get { unsafe storage.span.bytes.extracting(0..<count) }
  }

  /// Appends the octets of a value; allocates only where the capacity is used up.
  @inline(__always)
  mutating func append(_ value: RawSpan) {
    let added = value.byteCount
    if added > storage.count &- count { makeRoom(added) }
    let start = count
    unsafe storage.withUnsafeMutableBytes { room in
      unsafe value.withUnsafeBytes { octets in
        // The room behind `start` was made above: `added` octets of it are there.
        guard let target = room.baseAddress, let source = octets.baseAddress else { return }
        unsafe (target + start).copyMemory(from: source, byteCount: added)
      }
    }
    count = start &+ added
  }

  /// Octets of room made at a time: few for a short link, and never so many that they matter to memory.
  private static let step = 4096
  private static let longestStep = 65_536

  @inline(never)
  private mutating func makeRoom(_ added: Int) {
    storage += [UInt8](repeating: 0, count: max(added, Self.step, min(storage.count / 8, Self.longestStep)))
  }

  /// Forgets what is written and keeps the room.
  mutating func removeAll() { count = 0 }
}
