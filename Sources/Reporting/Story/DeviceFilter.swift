public import BluetoothWire

/// What `--device` asks for: an address, its beginning or end, or a part of a name.
public struct DeviceFilter: Sendable {
  private let wanted: String

  public init(_ text: String) {
    wanted = text.lowercased()
  }

  /// True where the address or one of the names contains what was asked for.
  public func matches(address: DeviceAddress?, names: [[UInt8]?]) -> Bool {
    if let address, address.description.lowercased().contains(wanted) { return true }
    return names.contains { name in
      name.map { String(decoding: $0, as: UTF8.self).lowercased().contains(wanted) } ?? false
    }
  }
}
