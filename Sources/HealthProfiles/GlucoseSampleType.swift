/// What was measured: the low nibble of Type-Sample Location (GLS 3.1.1).
public struct GlucoseSampleType: NamedCode {
  /// 0...15.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  public static let capillaryWholeBlood = GlucoseSampleType(rawValue: 1)
  public static let venousPlasma = GlucoseSampleType(rawValue: 4)
  public static let interstitialFluid = GlucoseSampleType(rawValue: 9)
  public static let controlSolution = GlucoseSampleType(rawValue: 10)

  public var definedName: String? {
    switch rawValue {
    case 1: "capillary whole blood"
    case 2: "capillary plasma"
    case 3: "venous whole blood"
    case 4: "venous plasma"
    case 5: "arterial whole blood"
    case 6: "arterial plasma"
    case 7: "undetermined whole blood"
    case 8: "undetermined plasma"
    case 9: "interstitial fluid"
    case 10: "control solution"
    default: nil
    }
  }
}
