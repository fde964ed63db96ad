import HealthProfiles

/// A concentration as two integers, for the two exponents that meters send.
enum ConcentrationDigits {
  /// Milligrams per decilitre, and tenths of millimoles per litre.
  case milligrams(UInt32, tenths: UInt32)
  /// A special value, a negative one, or one with another exponent.
  case other

  /// kg/L with exponent -5 is milligrams per decilitre, mol/L with exponent -4 tenths of millimoles per litre.
  ///
  /// The other unit is converted with 18.02, half rounded up, as `GlucoseConcentration.text(in:)` does.
  @inline(__always) init(_ float: MedicalFloat16, _ unit: GlucoseUnit) {
    let mantissa = UInt32(float.word & 0x0FFF)
    guard mantissa < 0x7FE else {
      self = .other
      return
    }
    switch (unit, float.word >> 12) {
    case (.kilogramsPerLitre, 0xB): self = .milligrams(mantissa, tenths: (mantissa * 1_000 + 901) / 1_802)
    case (.molesPerLitre, 0xC): self = .milligrams((mantissa * 1_802 + 500) / 1_000, tenths: mantissa)
    default: self = .other
    }
  }
}
