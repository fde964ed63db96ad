import BluetoothWire
import LinkTrace

/// What the values of a handle are to redaction.
enum ValueNature: UInt8, Sendable {
  /// Says nothing of a person or of one device: discovery, configuration, features, model, firmware.
  case kept
  case glucoseMeasurement
  case glucoseContext
  /// A record access control point: kept, but for the dates in its requests.
  case recordAccess
  case continuousGlucose
  case insulinHistory
  /// Records of another profile: flags first, then values.
  case otherRecords
  /// A Date Time in the first seven octets.
  case dateTime
  /// Text that tells one device from the others.
  case text
  /// Everything else that is named: octets whose meaning is not read here.
  case opaque
  /// Nothing names the handle: octets, but for what the shape of a record access procedure needs.
  case unnamed

  init(_ attribute: Attribute) {
    switch attribute.kind {
    case .primaryService, .secondaryService, .include, .characteristic: self = .kept
    case .value, .descriptor: self.init(type: attribute.type)
    }
  }

  init(inferred role: AttributeRole) {
    switch role {
    case .unknown: self = .unnamed
    case .other: self = .opaque
    case .otherRecords: self = .otherRecords
    case .subscription: self = .kept
    default: self = role.type.map { ValueNature(type: $0) } ?? .opaque
    }
  }

  /// What a type is not listed for here is redacted.
  init(type: BluetoothUUID) {
    guard let short = type.short else {
      self = .opaque
      return
    }
    switch short {
    case 0x2A18: self = .glucoseMeasurement
    case 0x2A34: self = .glucoseContext
    case 0x2A52: self = .recordAccess
    case 0x2AA7: self = .continuousGlucose
    case 0x2B28: self = .insulinHistory
    case 0x2A5E, 0x2A5F, 0x2A1C, 0x2A1E, 0x2A35, 0x2A36, 0x2A37, 0x2A9C, 0x2A9D, 0x2B34, 0x2B35, 0x2B36, 0x2B8B, 0x2BDD:
      self = .otherRecords
    case 0x2A08, 0x2A2B, 0x2AAA: self = .dateTime
    // Device name, serial number, and revisions that may name who built them.
    case 0x2A00, 0x2A25, 0x2A27, 0x2A28: self = .text
    case 0x2800...0x2803, 0x2900...0x2905: self = .kept
    // Generic Access and Generic Attribute.
    case 0x2A01, 0x2A02, 0x2A04, 0x2A05, 0x2AA6, 0x2B29, 0x2B2A, 0x2B3A, 0x2BF5: self = .kept
    // Model, firmware, maker, regulatory list, PnP ID; battery.
    case 0x2A24, 0x2A26, 0x2A29, 0x2A2A, 0x2A50, 0x2A19: self = .kept
    // Features, states of a session, time zone, and the control point of insulin delivery.
    case 0x2A49, 0x2A51, 0x2A60, 0x2A9B, 0x2A9E, 0x2AA8, 0x2B1D, 0x2B23, 0x2B8E, 0x2BF3, 0x2A1D, 0x2A21, 0x2A38,
      0x2AA9, 0x2AAB, 0x2A0D, 0x2A0E, 0x2A0F, 0x2B27:
      self = .kept
    default: self = .opaque
    }
  }
}
