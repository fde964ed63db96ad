/// The kind of insulin: Medication ID (GLS 3.2.1.8).
public struct MedicationIdentifier: NamedCode {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public var definedName: String? {
    switch rawValue {
    case 1: "rapid acting insulin"
    case 2: "short acting insulin"
    case 3: "intermediate acting insulin"
    case 4: "long acting insulin"
    case 5: "pre-mixed insulin"
    default: nil
    }
  }
}
