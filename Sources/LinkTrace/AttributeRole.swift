public import BluetoothWire

/// What an attribute is to a stored-record fetch, whatever service it stands in.
public enum AttributeRole: UInt8, Sendable {
  case unknown
  case glucoseMeasurement
  case glucoseContext
  case glucoseFeature
  /// The Record Access Control Point 0x2A52 with the op codes of GLS, CGMS and PLXS.
  case recordAccess
  /// The Insulin Delivery style control point 0x2B27 and what behaves like it.
  case insulinRecordAccess
  /// The characteristic that carries the records of an Insulin Delivery style control point.
  case insulinHistory
  /// A record characteristic of another profile with a record access control point.
  case otherRecords
  /// Client Characteristic Configuration.
  case subscription
  /// Another attribute whose type is known.
  case other

  /// The role a type has.
  public init(_ type: BluetoothUUID) {
    switch type.short {
    case 0x2A18: self = .glucoseMeasurement
    case 0x2A34: self = .glucoseContext
    case 0x2A51: self = .glucoseFeature
    case 0x2A52: self = .recordAccess
    case 0x2B27: self = .insulinRecordAccess
    case 0x2B28: self = .insulinHistory
    case 0x2AA7, 0x2A5E, 0x2B36, 0x2BDD: self = .otherRecords
    case 0x2902: self = .subscription
    default: self = .other
    }
  }

  /// The characteristic a role stands for; nil where it stands for none or for several.
  public var type: BluetoothUUID? {
    switch self {
    case .glucoseMeasurement: BluetoothUUID(0x2A18)
    case .glucoseContext: BluetoothUUID(0x2A34)
    case .glucoseFeature: BluetoothUUID(0x2A51)
    case .recordAccess: BluetoothUUID(0x2A52)
    case .insulinRecordAccess: BluetoothUUID(0x2B27)
    case .insulinHistory: BluetoothUUID(0x2B28)
    case .unknown, .otherRecords, .subscription, .other: nil
    }
  }

  /// True for the two dialects of record access control point.
  public var isControlPoint: Bool { self == .recordAccess || self == .insulinRecordAccess }

  /// True for what carries records.
  public var isRecord: Bool { self == .glucoseMeasurement || self == .insulinHistory || self == .otherRecords }

  /// True where every value is kept whatever the link's length.
  @inline(__always)
  var isKept: Bool { self != .unknown && self != .other }
}
