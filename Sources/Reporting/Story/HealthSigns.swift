import BluetoothWire
import HealthProfiles
import LinkTrace

/// Tells links of health devices from those of everything else a phone talks to.
enum HealthSigns {
  static func isHealthLink(_ history: borrowing LinkHistory) -> Bool {
    if history.sensor != nil || history.peerOffersHealth || history.localOffersHealth { return true }
    for traffic in history.handles where traffic.role == .glucoseContext || traffic.role == .glucoseFeature {
      return true
    }
    return hasService(history.remote) || hasService(history.local)
  }

  private static func hasService(_ database: AttributeDatabase) -> Bool {
    database.attributes.contains { $0.kind.isService && ($0.type.short.map(AssignedNumbers.isHealthService) ?? false) }
  }
}
