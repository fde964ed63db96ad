/// How a link is encrypted: the central's command or the peripheral's key reply, and the Encryption Change event.
public struct Encryption: Sendable, Hashable {
  /// 0, or the error of the Encryption Change event; 0x06 where the sensor has lost the bond.
  public var status: UInt8 = 0
  /// The key size where the controller sends the second version of the event.
  public var keySize: UInt8?

  public init(status: UInt8 = 0, keySize: UInt8? = nil) {
    self.status = status
    self.keySize = keySize
  }
}
