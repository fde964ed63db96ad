/// The properties octet of a characteristic declaration (Core Vol 3 Part G 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The words in the order of the bits.
  private static let words = [
    "broadcast", "read", "write without response", "write", "notify", "indicate", "signed write",
    "extended properties",
  ]

  /// The property with this name; nil where there is none.
  public init?(name: String) {
    guard let bit = Self.words.firstIndex(of: name) else { return nil }
    self.init(rawValue: 1 << UInt8(bit))
  }

  /// Plain words for every bit that is set, lowest first.
  public var names: [String] { (0..<8).filter { rawValue & 1 << $0 != 0 }.map { Self.words[$0] } }
}
