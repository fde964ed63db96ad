/// How a link is encrypted: the central's command or the peripheral's key reply, and the Encryption Change event.
public struct Encryption: Sendable, Hashable {
  /// 0, or the error of the Encryption Change event; 0x06 where the sensor has lost the bond.
  public var status: UInt8 = 0
  /// The key size where the controller sends the second version of the event.
  public var keySize: UInt8?
  /// True for a key of a legacy bond: Rand and EDIV are not 0.
  public var isLegacyBond = false

  public init(status: UInt8 = 0, keySize: UInt8? = nil, isLegacyBond: Bool = false) {
    self.status = status
    self.keySize = keySize
    self.isLegacyBond = isLegacyBond
  }
}
