import BluetoothWire

/// Writes the fields of one row into octets set aside for it.
///
/// The room is checked once, when the row begins: whoever writes a row knows that its fields at their longest have less
/// than `fieldLimit` octets. Only text whose length is not bounded by its kind is checked when it is written. Fields are
/// stored whole words at a time and may leave up to 63 octets behind the row that the next field overwrites.
struct RowWriter: ~Copyable, ~Escapable {
  private var room: MutableRawSpan
  /// How many octets the row has so far.
  private(set) var count: Int

  /// What must be left after the first octets of a row, and what its fields never fill.
  static let fieldLimit = 4_096

  /// Goes on after the first `count` octets of `room`, which stand there already.
  @inline(__always) @_lifetime(copy room)
  init(_ room: consuming MutableRawSpan, after count: Int) {
    precondition(count >= 0 && room.byteCount - count >= Self.fieldLimit)
    self.room = room
    self.count = count
  }

  /// The octets of `value` as they lie in memory, of which `length` count.
  @inline(__always)
  mutating func put<Value: BitwiseCopyable>(_ value: Value, length: Int) {
    unsafe room.storeBytes(of: value, toUncheckedByteOffset: count, as: Value.self)
    count &+= length
  }

  @inline(__always) mutating func put(_ octet: UInt8) { put(octet, length: 1) }

  /// A literal: a few stores of constants.
  @inline(__always) mutating func put(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    unsafe room.withUnsafeMutableBytes { target in
      guard let start = target.baseAddress else { return }
      unsafe start.advanced(by: count).copyMemory(from: text.utf8Start, byteCount: length)
    }
    count &+= length
  }

  /// `true,` or `false,`, without a branch.
  @inline(__always) mutating func field(_ flag: Bool) {
    let text: UInt64 = flag ? 0x2C_6575_7274 : 0x2C65_736C_6166
    put(text.littleEndian, length: flag ? 5 : 6)
  }

  /// Octets whose number is known only now.
  @inline(__always) mutating func copy(_ source: RawSpan) {
    precondition(source.byteCount <= room.byteCount &- count)
    unsafe room.withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { octets in
        guard let from = octets.baseAddress, let to = target.baseAddress else { return }
        unsafe to.advanced(by: count).copyMemory(from: from, byteCount: octets.count)
      }
    }
    count &+= source.byteCount
  }

  /// Text of the rare cases.
  @inline(never) mutating func put(text: String) { unsafe copy(text.utf8Span.span.bytes) }

  /// Two decimal digits of a number below 100, the tens in the lower octet.
  @inline(__always) static func pair(_ number: UInt32) -> UInt64 {
    let tens = (number &* 103) &>> 10
    return UInt64(0x3030 &+ number &* 256 &- tens &* 2559)
  }

  /// Two decimal digits of a number below 100.
  @inline(__always) mutating func two(_ number: UInt32) {
    put(UInt16(truncatingIfNeeded: Self.pair(number)).littleEndian, length: 2)
  }

  /// Decimal digits.
  @inline(__always) mutating func decimal(_ number: UInt32) {
    if number < 10 {
      put(0x30 &+ UInt8(truncatingIfNeeded: number))
    } else if number < 100 {
      two(number)
    } else if number < 1_000 {
      put(0x30 &+ UInt8(truncatingIfNeeded: number / 100))
      two(number % 100)
    } else {
      long(number)
    }
  }

  /// Four to ten decimal digits.
  private mutating func long(_ number: UInt32) {
    if number >= 10_000 { decimal(number / 10_000) }
    let rest = number % 10_000
    let digits = Self.pair(rest / 100) | Self.pair(rest % 100) &<< 16
    put(UInt32(truncatingIfNeeded: digits).littleEndian, length: 4)
  }
}
