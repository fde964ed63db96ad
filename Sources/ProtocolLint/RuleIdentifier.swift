/// A rule's permanent name: area and number, `RACP-001`.
public struct RuleIdentifier: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  private let text: StaticString
  /// The first eight octets of the text, all there is of the usual name: reports look rules up for every link.
  private let key: UInt64

  public init(_ text: StaticString) {
    self.text = text
    key = text.description.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  public init(stringLiteral value: StaticString) { self.init(value) }

  public var description: String { text.description }

  /// The letters before the dash.
  public var area: String { String(description.prefix { $0 != "-" }) }

  public static func == (left: RuleIdentifier, right: RuleIdentifier) -> Bool {
    guard left.key == right.key, left.text.utf8CodeUnitCount == right.text.utf8CodeUnitCount else { return false }
    return left.text.utf8CodeUnitCount <= 8 || left.description == right.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
