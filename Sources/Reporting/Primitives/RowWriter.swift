/// Writes one row of known length limit straight into an `OutputBuffer`; what does not fit is let go.
///
/// The one place of this module that writes through a pointer: every write is checked against the room that is left.
@safe struct RowWriter {
  private let start: UnsafeMutablePointer<UInt8>
  private let room: Int
  private(set) var count = 0

  /// `start` has room for `room` octets as long as the value is in use.
  @unsafe @inline(__always) init(start: UnsafeMutablePointer<UInt8>, room: Int) {
    unsafe self.start = start
    self.room = room
  }

  @inline(__always) mutating func put(_ octet: UInt8) {
    guard count < room else { return }
    unsafe start[count] = octet
    count &+= 1
  }

  @inline(__always) mutating func put(_ text: StaticString) {
    unsafe put(text.utf8Start, text.utf8CodeUnitCount)
  }

  @inline(__always) mutating func put(_ octets: [UInt8]) {
    unsafe octets.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { unsafe put(base, source.count) }
    }
  }

  /// The octets of a range that lies inside the array.
  @inline(__always) mutating func put(_ octets: [UInt8], _ range: Range<Int>) {
    guard range.upperBound <= octets.count else { return }
    unsafe octets.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { unsafe put(base + range.lowerBound, range.count) }
    }
  }

  @inline(__always) private mutating func put(_ source: UnsafePointer<UInt8>, _ length: Int) {
    guard length <= room &- count else { return }
    unsafe (start + count).update(from: source, count: length)
    count &+= length
  }

  /// Decimal digits.
  @inline(__always) mutating func decimal(_ number: UInt32) {
    guard number >= 10 else { return put(0x30 &+ UInt8(truncatingIfNeeded: number)) }
    var divisor: UInt32 = number < 1_000 ? 100 : number < 100_000 ? 10_000 : 1_000_000_000
    while number < divisor { divisor /= 10 }
    var rest = number
    while divisor > 0 {
      put(0x30 &+ UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }

  /// Two decimal digits.
  @inline(__always) mutating func two(_ number: UInt8) {
    guard number < 100 else { return decimal(UInt32(number)) }
    put(0x30 &+ number / 10)
    put(0x30 &+ number % 10)
  }

  /// At least four decimal digits.
  @inline(__always) mutating func four(_ number: UInt16) {
    guard number < 10_000 else { return decimal(UInt32(number)) }
    two(UInt8(truncatingIfNeeded: number / 100))
    two(UInt8(truncatingIfNeeded: number % 100))
  }
}

extension OutputBuffer {
  /// Appends one row of at most `room` octets.
  @inline(__always) mutating func appendRow(room: Int, _ body: (inout RowWriter) -> Void) {
    pending.append(addingCapacity: room) { (span: inout OutputSpan<UInt8>) in
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        guard let base = buffer.baseAddress else { return }
        var writer = unsafe RowWriter(start: base + count, room: buffer.count - count)
        body(&writer)
        count += writer.count
      }
    }
    flushIfFull()
  }
}
