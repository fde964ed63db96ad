/// Reads octets in order and says where they ended too early.
///
/// For values that are read once and printed; the per-frame path checks the length once and reads at fixed offsets.
public struct ByteReader: ~Escapable {
  /// All octets, from the first octet of the layer.
  public let bytes: RawSpan
  /// The layer named in errors.
  public let layer: WireLayer
  /// Where the next octet is read.
  public private(set) var offset: Int = 0

  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, layer: WireLayer) {
    self.bytes = bytes
    self.layer = layer
  }

  /// How many octets are left.
  public var remaining: Int { bytes.byteCount - offset }

  private mutating func take(_ count: Int) throws(WireError) -> Int {
    guard count <= remaining else {
      throw WireError(layer, offset: offset, needed: offset + count, available: bytes.byteCount)
    }
    defer { offset += count }
    return offset
  }

  /// The next octet.
  public mutating func u8() throws(WireError) -> UInt8 { bytes.u8(at: try take(1)) }

  /// The next two octets, least significant first.
  public mutating func u16() throws(WireError) -> UInt16 { bytes.u16(at: try take(2)) }

  /// The next three octets, least significant first.
  public mutating func u24() throws(WireError) -> UInt32 { bytes.u24(at: try take(3)) }

  /// The next four octets, least significant first.
  public mutating func u32() throws(WireError) -> UInt32 { bytes.u32(at: try take(4)) }

  /// The next eight octets, least significant first.
  public mutating func u64() throws(WireError) -> UInt64 { bytes.u64(at: try take(8)) }

  /// The next `count` octets, copied.
  public mutating func octets(_ count: Int) throws(WireError) -> [UInt8] {
    let start = try take(count)
    return bytes.extracting(start..<(start + count)).copied()
  }

  /// Everything that is left, copied.
  public mutating func rest() -> [UInt8] {
    defer { offset = bytes.byteCount }
    return bytes.extracting(offset..<bytes.byteCount).copied()
  }
}
