import BluetoothWire
import HealthProfiles
public import LinkTrace

/// What attributes are called in output, with the mark of an inferred name.
public enum AttributeNames {
  /// `Glucose Measurement`, `Glucose Measurement?` where the name is only inferred, `handle 0x0023` where nothing names it.
  public static func characteristic(_ traffic: HandleTraffic, _ history: borrowing LinkHistory) -> String {
    let mark = traffic.provenance == .inferred || traffic.provenance == .inferredWeak ? "?" : ""
    if let attribute = history.database(traffic.server)[traffic.handle] {
      if let name = AssignedNumbers.name(of: attribute.type) { return name + mark }
      return attribute.type.description + mark
    }
    if let type = traffic.role.type, let name = AssignedNumbers.name(of: type) { return name + mark }
    switch traffic.role {
    case .otherRecords: return "records" + mark
    case .subscription: return "Client Characteristic Configuration" + mark
    default: return "handle 0x" + hex(UInt64(traffic.handle), digits: 4)
    }
  }
}
