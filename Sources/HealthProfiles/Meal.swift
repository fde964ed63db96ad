/// How the measurement stands to a meal (GLS 3.2.1).
public struct Meal: NamedCode {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public var definedName: String? {
    switch rawValue {
    case 1: "before a meal"
    case 2: "after a meal"
    case 3: "fasting"
    case 4: "casual"
    case 5: "bedtime"
    default: nil
    }
  }
}
