import BluetoothWire
import LinkTrace

/// Tells links of health devices from those of everything else a phone talks to.
enum HealthSigns {
  /// Services of health devices with measurements (assigned numbers), heart rate straps left out.
  private static let services: Set<UInt16> = [
    0x1808, 0x1809, 0x1810, 0x1822, 0x181B, 0x181D, 0x181F, 0x183A, 0x1840,
  ]

  static func isHealthLink(_ history: borrowing LinkHistory) -> Bool {
    if history.sensor != nil || history.peerOffersHealth || history.localOffersHealth { return true }
    for traffic in history.handles where traffic.role == .glucoseContext || traffic.role == .glucoseFeature {
      return true
    }
    return hasService(history.remote) || hasService(history.local)
  }

  private static func hasService(_ database: AttributeDatabase) -> Bool {
    database.attributes.contains { $0.kind.isService && ($0.type.short.map(services.contains) ?? false) }
  }
}
