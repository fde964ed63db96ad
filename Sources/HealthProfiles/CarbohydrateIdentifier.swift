/// The occasion carbohydrates were eaten at: Carbohydrate ID (GLS 3.2.1).
public struct CarbohydrateIdentifier: NamedCode {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public var definedName: String? {
    switch rawValue {
    case 1: "breakfast"
    case 2: "lunch"
    case 3: "dinner"
    case 4: "snack"
    case 5: "drink"
    case 6: "supper"
    case 7: "brunch"
    default: nil
    }
  }
}
