public import BluetoothWire

/// How a link began, where the capture shows it (LE Connection Complete in any version).
public struct LinkStart: Sendable {
  public var frame: UInt32
  /// Microseconds since 1970 UTC.
  public var time: Int64
  /// True where the local controller is the central.
  public var isCentral: Bool
  /// The peer's address as the controller gave it.
  public var peer: DeviceAddress
  /// True where the controller says it has resolved the address to the peer's identity.
  public var isPeerResolved: Bool
  /// The resolvable addresses in use; nil where none is.
  public var localResolvable: DeviceAddress?
  public var peerResolvable: DeviceAddress?
  /// Connection interval in units of 1.25 ms; 0 where the logger cut the event before it, and all that follow are then 0.
  public var interval: UInt16
  /// Peripheral latency in connection events.
  public var latency: UInt16
  /// Supervision timeout in units of 10 ms.
  public var supervisionTimeout: UInt16
}
