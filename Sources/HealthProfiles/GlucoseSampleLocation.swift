/// Where the sample was taken: the high nibble of Type-Sample Location (GLS 3.1.1).
public struct GlucoseSampleLocation: NamedCode {
  /// 0...15.
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  public static let finger = GlucoseSampleLocation(rawValue: 1)
  public static let alternateSite = GlucoseSampleLocation(rawValue: 2)
  public static let earlobe = GlucoseSampleLocation(rawValue: 3)
  public static let controlSolution = GlucoseSampleLocation(rawValue: 4)
  public static let notAvailable = GlucoseSampleLocation(rawValue: 15)

  public var definedName: String? {
    switch rawValue {
    case 1: "finger"
    case 2: "alternate site"
    case 3: "earlobe"
    case 4: "control solution"
    case 15: "not available"
    default: nil
    }
  }
}
