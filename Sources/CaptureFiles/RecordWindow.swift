/// The one contiguous buffer records are read in, refilled from a `ByteSource`.
///
/// Offsets count from the first octet not yet taken; a caller asks `have` for the octets it needs, then reads them.
@safe struct RecordWindow: ~Copyable {
  /// No record may claim more octets (captures.md 6.1).
  static let recordBound = 262_144
  /// Holds the largest record and fits the processor's second-level cache: a larger buffer was slower.
  private static let capacity = 3 << 17

  let source: ByteSource
  private let storage: WindowStorage
  private let base: UnsafeMutableRawPointer
  private(set) var start = 0
  private(set) var end = 0
  /// Octets taken so far.
  private(set) var taken: Int64 = 0

  init(_ source: ByteSource) {
    self.source = source
    storage = WindowStorage(capacity: Self.capacity)
    unsafe base = storage.base
  }

  /// Octets in the buffer that are not taken yet.
  @inline(__always) var available: Int { end - start }

  /// True where `count` octets are in the buffer, reading more if they are not; false at the end or beyond the buffer.
  @inline(__always) mutating func have(_ count: Int) -> Bool { count <= end &- start || refill(count) }

  @inline(never) private mutating func refill(_ count: Int) -> Bool {
    guard count <= Self.capacity else { return false }
    if start > 0 {
      let rest = end - start
      unsafe base.copyMemory(from: base + start, byteCount: rest)
      start = 0
      end = rest
    }
    while end < count {
      let room = unsafe UnsafeMutableRawBufferPointer(start: base + end, count: Self.capacity - end)
      let got = unsafe source.read(into: room)
      guard got > 0 else { return false }
      end += got
    }
    return true
  }

  /// Takes `count` octets that are in the buffer.
  @inline(__always) mutating func take(_ count: Int) {
    start &+= count
    taken &+= Int64(count)
  }

  /// Passes over `count` octets, in the buffer or not; false where the input ends before.
  mutating func skip(_ count: Int) -> Bool {
    var left = count
    while left > 0 {
      guard available > 0 || refill(1) else { return false }
      let step = min(left, available)
      take(step)
      left -= step
    }
    return true
  }

  @inline(__always) func u8(_ offset: Int) -> UInt8 {
    unsafe base.load(fromByteOffset: start &+ offset, as: UInt8.self)
  }

  @inline(__always) func u16(_ offset: Int, bigEndian: Bool) -> UInt16 {
    let raw = unsafe base.loadUnaligned(fromByteOffset: start &+ offset, as: UInt16.self)
    return bigEndian ? UInt16(bigEndian: raw) : UInt16(littleEndian: raw)
  }

  @inline(__always) func u32(_ offset: Int, bigEndian: Bool) -> UInt32 {
    let raw = unsafe base.loadUnaligned(fromByteOffset: start &+ offset, as: UInt32.self)
    return bigEndian ? UInt32(bigEndian: raw) : UInt32(littleEndian: raw)
  }

  @inline(__always) func u64(_ offset: Int, bigEndian: Bool) -> UInt64 {
    let raw = unsafe base.loadUnaligned(fromByteOffset: start &+ offset, as: UInt64.self)
    return bigEndian ? UInt64(bigEndian: raw) : UInt64(littleEndian: raw)
  }

  /// Up to `count` of the octets not yet taken, copied.
  mutating func peek(_ count: Int) -> [UInt8] {
    _ = have(count)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: base + start, count: min(count, available)))
  }

  /// The octets at a place in the buffer; empty where that is outside of what was read.
  @_lifetime(borrow self) func bytes(at place: Int, count: Int) -> RawSpan {
    let valid = place >= 0 && count >= 0 && place <= end && count <= end - place
    let span = unsafe RawSpan(_unsafeStart: base + (valid ? place : 0), byteCount: valid ? count : 0)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A source that gives everything again from the first octet not taken.
  consuming func putBack() -> ByteSource {
    if taken == 0, source.isSeekable, source.seek(to: 0) { return source }
    let rest = unsafe [UInt8](UnsafeRawBufferPointer(start: base + start, count: available))
    return PrefixedSource(rest, before: source)
  }
}

/// Owns the buffer's memory.
@safe private final class WindowStorage {
  let base: UnsafeMutableRawPointer

  init(capacity: Int) { unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16) }

  deinit { unsafe base.deallocate() }
}
