/// How a link is protected (Core Vol 3 Part C 10.2, LE security mode 1).
public struct LinkSecurity: Hashable, Sendable {
  /// 1 none, 2 encrypted, 3 encrypted with an authenticated key, 4 with LE Secure Connections.
  public var level: UInt8
  /// Octets of the encryption key; 0 on a link that is not encrypted.
  public var keySize: UInt8

  public init(level: UInt8, keySize: UInt8) {
    self.level = level
    self.keySize = keySize
  }

  public static let none = LinkSecurity(level: 1, keySize: 0)

  /// True only where a key is in use: some hosts report a level alone after a failed encryption.
  public var isEncrypted: Bool { level >= 2 && keySize > 0 }
}
