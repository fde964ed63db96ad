/// Why octets could not be read as what they should be: malformed input as a value.
public struct WireError: Error, Equatable, Sendable {
  /// What the octets were being read as.
  public var layer: WireLayer
  /// Where the missing or wrong octet is, counted from the first octet of that layer.
  public var offset: Int
  /// How many octets the layer needs from its start.
  public var needed: Int
  /// How many octets there are.
  public var available: Int

  public init(_ layer: WireLayer, offset: Int, needed: Int, available: Int) {
    self.layer = layer
    self.offset = offset
    self.needed = needed
    self.available = available
  }
}

/// The layer a `WireError` speaks of.
public enum WireLayer: String, Sendable {
  case hci = "HCI"
  case acl = "ACL"
  case l2cap = "L2CAP"
  case signalling = "L2CAP signalling"
  case att = "ATT"
  case smp = "SMP"
  case characteristic = "characteristic value"
  case advertising = "advertising data"
}
