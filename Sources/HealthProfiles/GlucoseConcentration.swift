/// A concentration with the unit it was sent in (GLS 3.1.1.5).
public struct GlucoseConcentration: Hashable, Sendable {
  public var float: MedicalFloat16
  public var unit: GlucoseUnit

  public init(_ float: MedicalFloat16, unit: GlucoseUnit) {
    self.float = float
    self.unit = unit
  }

  /// Decimal text in either unit: exact in the meter's own, else converted with 18.02 mg/dL per mmol/L (CGMS 1.7).
  ///
  /// A converted mg/dL is an integer, a converted mmol/L has one decimal, half rounded up. A special value gives its
  /// name.
  public func text(in display: GlucoseUnit.Display) -> String {
    guard let decimal = float.decimal else { return float.decimalText() }
    switch (unit, display) {
    case (.kilogramsPerLitre, .milligramsPerDecilitre): return decimal.text(scaledBy10ToThe: 5)
    case (.molesPerLitre, .millimolesPerLitre): return decimal.text(scaledBy10ToThe: 3)
    case (.molesPerLitre, .milligramsPerDecilitre):
      let converted = ExactDecimal(mantissa: decimal.mantissa * 1802, exponent: decimal.exponent + 1)
      return converted.rounded(toFractionDigits: 0).text()
    case (.kilogramsPerLitre, .millimolesPerLitre):
      // Tenths of mmol/L are m × 10^(e + 8) / 1802: at most 2047 × 10^15, which an Int64 holds.
      var dividend = decimal.mantissa
      for _ in 0..<(decimal.exponent + 8) { dividend *= 10 }
      return ExactDecimal(mantissa: roundedHalfUp(dividend, over: 1802), exponent: -1).text()
    }
  }
}

extension GlucoseConcentration: CustomStringConvertible {
  /// `123 mg/dL` or `5.5 mmol/L`: the meter's own unit as people read it.
  public var description: String { text(in: unit.display) + " " + unit.display.rawValue }
}
