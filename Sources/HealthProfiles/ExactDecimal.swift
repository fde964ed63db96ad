/// A number written as `mantissa × 10^exponent`, printed and compared without binary rounding.
public struct ExactDecimal: Hashable, Sendable {
  public var mantissa: Int64
  public var exponent: Int

  public init(mantissa: Int64, exponent: Int) {
    self.mantissa = mantissa
    self.exponent = exponent
  }

  /// The nearest binary number.
  public var value: Double {
    var power = 1.0
    for _ in 0..<abs(exponent) { power *= 10 }
    return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
  }

  /// The same number without trailing zeros in the mantissa, so that equal numbers compare equal.
  public var normalized: ExactDecimal {
    guard mantissa != 0 else { return ExactDecimal(mantissa: 0, exponent: 0) }
    var result = self
    while result.mantissa % 10 == 0 {
      result.mantissa /= 10
      result.exponent += 1
    }
    return result
  }

  /// Decimal text of this number times `10^scale`; trailing zeros of the fraction stay, they tell the resolution.
  public func text(scaledBy10ToThe scale: Int = 0) -> String {
    let digits = String(mantissa.magnitude)
    let sign = mantissa < 0 ? "-" : ""
    let position = exponent + scale
    if position >= 0 {
      return mantissa == 0 ? "0" : sign + digits + String(repeating: "0", count: position)
    }
    let missing = 1 - position - digits.utf8.count
    let padded = String(repeating: "0", count: max(0, missing)) + digits
    return sign + padded.dropLast(-position) + "." + padded.suffix(-position)
  }

  /// This number with no more than `fractionDigits` decimals, half rounded up.
  public func rounded(toFractionDigits fractionDigits: Int) -> ExactDecimal {
    guard exponent < -fractionDigits else { return self }
    // More digits than an Int64 has leave nothing but zero.
    guard -fractionDigits - exponent <= 18 else { return ExactDecimal(mantissa: 0, exponent: -fractionDigits) }
    var divisor: Int64 = 1
    for _ in 0..<(-fractionDigits - exponent) { divisor *= 10 }
    return ExactDecimal(mantissa: roundedHalfUp(mantissa, over: divisor), exponent: -fractionDigits)
  }
}

/// `dividend / divisor` rounded to the nearest integer, half up; the divisor is even and positive.
func roundedHalfUp(_ dividend: Int64, over divisor: Int64) -> Int64 {
  let quotient = dividend / divisor
  let remainder = dividend % divisor
  if remainder >= divisor / 2 { return quotient + 1 }
  return remainder < -(divisor / 2) ? quotient - 1 : quotient
}
