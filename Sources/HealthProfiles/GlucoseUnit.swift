/// The unit a concentration is sent in: bit 2 of the measurement flags (GLS 3.1.1.5).
public enum GlucoseUnit: String, Hashable, Sendable {
  case kilogramsPerLitre = "kg/L"
  case molesPerLitre = "mol/L"

  /// The unit people read such a meter in.
  public var display: Display { self == .kilogramsPerLitre ? .milligramsPerDecilitre : .millimolesPerLitre }

  /// The units people read.
  public enum Display: String, Hashable, Sendable {
    case milligramsPerDecilitre = "mg/dL"
    case millimolesPerLitre = "mmol/L"
  }
}
