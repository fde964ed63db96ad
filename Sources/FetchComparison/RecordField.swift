/// A field of a measurement or of its context in which two deliveries can differ.
public enum RecordField: UInt32, Sendable, CaseIterable {
  case concentration, unit, type, location, status, timeOffset, undecodedOctets
  /// One has a context, the other has none.
  case context
  case carbohydrate, meal, tester, health, exercise, medication, hemoglobinA1c, otherContextOctets

  /// The word that is printed.
  public var name: String {
    switch self {
    case .concentration: "concentration"
    case .unit: "unit"
    case .type: "type"
    case .location: "location"
    case .status: "status"
    case .timeOffset: "time offset"
    case .undecodedOctets: "undecoded octets"
    case .context: "context"
    case .carbohydrate: "carbohydrate"
    case .meal: "meal"
    case .tester: "tester"
    case .health: "health"
    case .exercise: "exercise"
    case .medication: "medication"
    case .hemoglobinA1c: "HbA1c"
    case .otherContextOctets: "other octets of the context"
    }
  }

  /// Fields that differ.
  public struct Set: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ field: RecordField) { rawValue = 1 << field.rawValue }

    /// In the order of the record.
    public var fields: [RecordField] { RecordField.allCases.filter { contains(Self($0)) } }
  }
}
