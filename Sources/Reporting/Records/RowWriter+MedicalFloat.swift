import HealthProfiles

extension RowWriter {
  /// Exact decimal digits of a number times `10^scale`, as `MedicalFloat16.decimalText` has them.
  @inline(__always)
  mutating func decimal(_ float: MedicalFloat16, scaledBy10ToThe scale: Int) {
    let mantissa = UInt32(float.word & 0x0FFF)
    let position = float.exponent &+ scale
    guard mantissa < 0x7FE, position >= -3, position <= 3 else {
      return put(text: float.decimalText(scaledBy10ToThe: scale))
    }
    switch position {
    case 0: decimal(mantissa)
    case 1: decimal(mantissa &* 10)
    case 2: decimal(mantissa &* 100)
    case 3: decimal(mantissa &* 1_000)
    case -1:
      decimal(mantissa / 10)
      put(0x2E)
      put(0x30 &+ UInt8(truncatingIfNeeded: mantissa % 10))
    case -2:
      decimal(mantissa / 100)
      put(0x2E)
      two(mantissa % 100)
    default:
      decimal(mantissa / 1_000)
      put(0x2E)
      put(0x30 &+ UInt8(truncatingIfNeeded: mantissa / 100 % 10))
      two(mantissa % 100)
    }
  }
}
