import BluetoothWire

/// The service that a control point stands in: a request brings records of that service alone.
struct ControlPointHome: Sendable {
  var controlPoint: UInt16
  var server: Side
  /// The handles of its service; all where no discovery tells.
  private(set) var members: ClosedRange<UInt16> = 0...UInt16.max
  private(set) var source = RecordSource.unknown

  init(_ controlPoint: UInt16, _ server: Side, _ history: borrowing LinkHistory) {
    self.controlPoint = controlPoint
    self.server = server
    if let service = history.database(server).service(of: controlPoint), service.provenance >= .remembered,
      service.groupEnd >= service.handle
    {
      members = service.handle...service.groupEnd
      source = Self.source(of: service, members, server, history)
    } else {
      source = Self.source(ofUnplaced: controlPoint, server, history)
    }
  }

  /// True where glucose records may come from it.
  var holdsGlucose: Bool { source == .glucose || source == .unknown }

  /// False for an attribute that stands in another service.
  func mayHold(_ handle: UInt16) -> Bool { members.contains(handle) }

  private static func source(
    of service: Attribute,
    _ members: ClosedRange<UInt16>,
    _ server: Side,
    _ history: borrowing LinkHistory
  ) -> RecordSource {
    var isElsewhere = false
    for traffic in history.handles where traffic.server == server && traffic.role == .glucoseMeasurement {
      if members.contains(traffic.handle) { return .glucose }
      isElsewhere = true
    }
    for attribute in history.database(server).attributes where members.contains(attribute.handle) {
      guard attribute.kind == .value else { continue }
      switch attribute.type.short {
      case 0x2A18: return .glucose
      case 0x2AA7: return .continuousGlucose
      default: continue
      }
    }
    switch service.type.short {
    case 0x1808: return .glucose
    case 0x181F: return .continuousGlucose
    case let type?: return .other(type)
    // What a manufacturer's own service holds shows in its traffic alone.
    case nil: return isElsewhere ? .other(0) : .unknown
    }
  }

  /// Where no service is known, a lone control point stands with the only records there are.
  private static func source(
    ofUnplaced controlPoint: UInt16,
    _ server: Side,
    _ history: borrowing LinkHistory
  ) -> RecordSource {
    var hasGlucose = false
    var hasOthers = false
    for traffic in history.handles where traffic.server == server {
      switch traffic.role {
      case .recordAccess where traffic.handle != controlPoint: return .unknown
      case .glucoseMeasurement, .glucoseFeature: hasGlucose = true
      case .otherRecords: hasOthers = true
      default: continue
      }
    }
    var continuous = false
    for attribute in history.database(server).attributes where attribute.kind == .value {
      switch attribute.type.short {
      case 0x2A52 where attribute.handle != controlPoint: return .unknown
      case 0x2A18, 0x2A51: hasGlucose = true
      case 0x2AA7: continuous = true
      default: continue
      }
    }
    if hasGlucose { return hasOthers || continuous ? .unknown : .glucose }
    return continuous ? .continuousGlucose : .unknown
  }
}
