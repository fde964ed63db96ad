/// Who measured: the low nibble of Tester-Health (GLS 3.2.1).
public struct Tester: NamedCode {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

  public var definedName: String? {
    switch rawValue {
    case 1: "self"
    case 2: "health care professional"
    case 3: "lab test"
    case 15: "not available"
    default: nil
    }
  }
}
