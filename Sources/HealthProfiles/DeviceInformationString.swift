import BluetoothWire

/// A string of the Device Information Service, UTF-8 without an end mark (DIS, 0x2A24...0x2A29).
public struct DeviceInformationString: Hashable, Sendable {
  /// The value as sent.
  public var octets: [UInt8]

  public init(octets: [UInt8]) { self.octets = octets }

  public init(_ text: String) { octets = [UInt8](text.utf8) }

  /// Reads any octets.
  public init(decoding bytes: RawSpan) {
    self.init(octets: bytes.copied())
  }

  /// The text, with U+FFFD for octets that are no UTF-8; control characters stay as they are.
  public var text: String { String(decoding: octets, as: UTF8.self) }

  /// True where the octets are no valid UTF-8, so that `text` is not all of them.
  public var isRepaired: Bool { String(validating: octets, as: UTF8.self) == nil }
}
