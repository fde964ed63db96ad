/// A one-octet or one-nibble code of which only some values are defined; the others survive as numbers.
public protocol NamedCode: RawRepresentable, Hashable, Sendable where RawValue == UInt8 {
  init(rawValue: UInt8)
  /// Plain words for a defined value; nil for one that is reserved for future use.
  var definedName: String? { get }
}

extension NamedCode {
  /// Plain words, `reserved value 11` for a reserved one.
  public var name: String { definedName ?? "reserved value \(rawValue)" }

  /// True for a value the specification keeps for the future.
  public var isReserved: Bool { definedName == nil }
}
