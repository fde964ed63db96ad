/// How the person was: the high nibble of Tester-Health (GLS 3.2.1).
public struct HealthCondition: NamedCode {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  public var definedName: String? {
    switch rawValue {
    case 1: "minor health issues"
    case 2: "major health issues"
    case 3: "during menses"
    case 4: "under stress"
    case 5: "no health issues"
    case 15: "not available"
    default: nil
    }
  }
}
