import BluetoothWire
import LinkTrace

/// The glucose characteristics that discovery, on this link or an earlier one, shows to have no Client Characteristic
/// Configuration: no collector can turn them on (GLS 3.1.2.1, 3.2.2.1, 3.4.6.1).
struct MissingConfigurations: Sendable {
  private struct Entry: Sendable {
    var value: UInt16
    var role: AttributeRole
  }

  private var entries: [Entry] = []

  /// Of those that have one by the service.
  static let configurable: [UInt16] = [0x2A18, 0x2A34, 0x2A52]

  init(_ history: borrowing LinkHistory, _ survey: borrowing DiscoverySurvey, sensor: Side?) {
    guard let sensor else { return }
    let table = history.database(sensor)
    let wanted = BluetoothUUID(0x1808)
    for service in table.attributes
    where service.kind.isService && service.type == wanted && service.provenance >= .remembered {
      let found = table.characteristics(of: service)
      for (place, characteristic) in found.enumerated() {
        guard let type = characteristic.type.short, Self.configurable.contains(type) else { continue }
        let end = place + 1 < found.count ? found[place + 1].handle - 1 : service.groupEnd
        let value = characteristic.groupEnd
        let isShown =
          service.provenance == .discovered
          ? Self.answer(characteristic, end, service, table, survey) != nil
          : Self.isRemembered(characteristic, end, among: found, table)
        guard isShown else { continue }
        // One that takes a subscription has a configuration.
        let isTaken = history.subscriptions.contains {
          $0.characteristic == value && $0.error == 0 && $0.server == sensor
        }
        if !isTaken { entries.append(Entry(value: value, role: AttributeRole(characteristic.type))) }
      }
    }
  }

  /// True where the table that an earlier link showed has no room for one, or has those of other characteristics.
  private static func isRemembered(
    _ characteristic: Attribute,
    _ end: UInt16,
    among found: [Attribute],
    _ table: AttributeDatabase
  ) -> Bool {
    guard characteristic.provenance >= .remembered, table.subscriptionHandle(ofValue: characteristic.groupEnd) == nil
    else { return false }
    return characteristic.groupEnd >= end
      || found.contains { other in
        let descriptor = table.subscriptionHandle(ofValue: other.groupEnd).flatMap { table[$0] }
        return descriptor.map { $0.provenance >= .remembered } ?? false
      }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// True where a characteristic of this kind has none.
  ///
  /// - Parameter members: the handles among which it stands.
  func contains(_ role: AttributeRole, within members: ClosedRange<UInt16>) -> Bool {
    entries.contains { $0.role == role && members.contains($0.value) }
  }

  /// The answer that shows that a characteristic has no configuration; nil where it has one or nothing shows.
  ///
  /// - Parameter end: the last handle that may be one of its descriptors.
  static func answer(
    _ characteristic: Attribute,
    _ end: UInt16,
    _ service: Attribute,
    _ table: AttributeDatabase,
    _ survey: borrowing DiscoverySurvey
  ) -> UInt32? {
    let value = characteristic.groupEnd
    guard table.subscriptionHandle(ofValue: value) == nil, let last = survey.endOfCharacteristics(of: service)
    else { return nil }
    guard value < end else { return last }
    guard survey.covers(.descriptors, (value + 1)...end) else { return nil }
    return survey.lastAnswer(.descriptors, about: (value + 1)...end)
  }
}
