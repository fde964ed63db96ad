public import BluetoothWire

/// One attribute of a server as discovery describes it.
public struct Attribute: Sendable, Equatable {
  public var handle: UInt16
  public var kind: Kind
  /// Characteristic properties octet; 0 where it is not known or has none (Core Vol 3 Part G 3.3.1.1).
  public var properties: UInt8
  public var provenance: Provenance
  /// Last handle of the group for a service, value handle for a characteristic declaration, else 0.
  public var groupEnd: UInt16
  /// The type of the service, of the characteristic value or of the descriptor.
  public var type: BluetoothUUID

  public init(
    handle: UInt16,
    kind: Kind,
    type: BluetoothUUID,
    properties: UInt8 = 0,
    groupEnd: UInt16 = 0,
    provenance: Provenance
  ) {
    self.handle = handle
    self.kind = kind
    self.properties = properties
    self.provenance = provenance
    self.groupEnd = groupEnd
    self.type = type
  }

  /// What the handle stands for.
  public enum Kind: String, Sendable {
    case primaryService = "primary service"
    case secondaryService = "secondary service"
    case include
    case characteristic
    case value
    case descriptor

    /// True for both kinds of service declaration.
    public var isService: Bool { self == .primaryService || self == .secondaryService }
  }
}
