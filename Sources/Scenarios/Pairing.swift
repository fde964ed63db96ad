/// A pairing exchange with dummy key material (Core Vol 3 Part H 2.3, 3.5).
public struct Pairing: Sendable, Hashable {
  /// How the sides authenticate each other.
  public var method: Method
  /// True for LE Secure Connections, false for legacy pairing.
  public var isSecureConnections: Bool
  /// True where the peripheral asks with a Security Request.
  public var beginsWithSecurityRequest: Bool
  /// The sensor's identity key, most significant octet first, where it distributes one.
  public var sensorIdentityKey: [UInt8]?
  /// The reason of the sensor's Pairing Failed after the features; nil where pairing succeeds.
  public var failure: UInt8?

  /// The association models written here.
  public enum Method: Sendable, Hashable {
    case justWorks
    case passkey
  }

  public init(
    _ method: Method = .justWorks,
    isSecureConnections: Bool = true,
    beginsWithSecurityRequest: Bool = true,
    sensorIdentityKey: [UInt8]? = nil,
    failure: UInt8? = nil
  ) {
    self.method = method
    self.isSecureConnections = isSecureConnections
    self.beginsWithSecurityRequest = beginsWithSecurityRequest
    self.sensorIdentityKey = sensorIdentityKey
    self.failure = failure
  }
}
