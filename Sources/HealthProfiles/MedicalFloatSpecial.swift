/// The five words of a medical float that are no numbers (IEEE 11073-20601).
public enum MedicalFloatSpecial: String, Hashable, Sendable {
  /// Invalid or missing.
  case notANumber = "NaN"
  /// Overflow or underflow: not at this resolution.
  case notAtThisResolution = "NRes"
  case positiveInfinity = "+INFINITY"
  case negativeInfinity = "-INFINITY"
  case reserved = "reserved value"
}
