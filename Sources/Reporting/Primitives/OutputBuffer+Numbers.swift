import BluetoothWire

extension OutputBuffer {
  /// Decimal digits.
  public mutating func append(decimal number: some BinaryInteger) {
    let magnitude = UInt64(clamping: number.magnitude)
    if number < 0 { append(octet: 0x2D) }
    append(digits: magnitude, width: 1)
  }

  /// Decimal digits with leading zeros up to `width`.
  public mutating func append(digits number: UInt64, width: Int) {
    var divisor: UInt64 = 1
    var count = 1
    while count < width || (count < 20 && number / divisor >= 10) {
      divisor *= 10
      count += 1
    }
    while divisor > 0 {
      put(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
    flushIfFull()
  }

  /// A number of `10^-places`: `append(fixed: 410, places: 3)` is `0.410`.
  public mutating func append(fixed number: Int64, places: Int) {
    var divisor: UInt64 = 1
    for _ in 0..<max(0, min(18, places)) { divisor *= 10 }
    if number < 0 { append(octet: 0x2D) }
    append(digits: number.magnitude / divisor, width: 1)
    guard places > 0 else { return }
    append(octet: 0x2E)
    append(digits: number.magnitude % divisor, width: min(18, places))
  }

  /// `0x2A18`: at least `width` digits.
  public mutating func append(hex number: UInt64, width: Int) {
    append("0x")
    append(hexDigits: number, width: width)
  }

  /// `2A18`: at least `width` digits.
  public mutating func append(hexDigits number: UInt64, width: Int) {
    var count = max(1, min(16, width))
    while count < 16 && number >> UInt64(4 * count) != 0 { count += 1 }
    for place in (0..<count).reversed() {
      put(Self.hexDigit(UInt8(truncatingIfNeeded: number >> UInt64(4 * place)) & 0x0F))
    }
    flushIfFull()
  }

  /// Two lower-case digits for each octet.
  public mutating func append(hexOctetsOf span: RawSpan, separator: UInt8? = nil) {
    for index in 0..<span.byteCount {
      if index > 0, let separator { put(separator) }
      let octet = span.u8(at: index)
      put(Self.lowerHexDigit(octet >> 4))
      put(Self.lowerHexDigit(octet & 0x0F))
    }
    flushIfFull()
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x37 + nibble }
  private static func lowerHexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }
}
