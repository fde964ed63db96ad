/// Fixed-width integers read from octets at an offset the caller has already checked.
///
/// An offset outside the span traps, so every caller compares `byteCount` first (check once, then read).
extension RawSpan {
  /// One octet.
  @inlinable public func u8(at offset: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Two octets, least significant first.
  @inlinable public func u16(at offset: Int) -> UInt16 {
    unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Four octets, least significant first.
  @inlinable public func u32(at offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Eight octets, least significant first.
  @inlinable public func u64(at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Three octets, least significant first.
  @inlinable public func u24(at offset: Int) -> UInt32 {
    UInt32(u16(at: offset)) | UInt32(u8(at: offset + 2)) << 16
  }

  /// The octets copied into an array: for values that must outlive the frame, never in the per-frame path.
  public func copied() -> [UInt8] {
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The part of the span from `offset`, `count` octets long; traps where that leaves the span.
  @inlinable @_lifetime(copy self)
  public func part(_ offset: Int, _ count: Int) -> RawSpan {
    extracting(offset..<(offset + count))
  }
}
