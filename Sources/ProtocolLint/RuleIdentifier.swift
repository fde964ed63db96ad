/// A rule's permanent name: area and number, `RACP-001`.
public struct RuleIdentifier: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let description: String

  public init(_ text: StaticString) { description = text.description }

  public init(stringLiteral value: StaticString) { self.init(value) }

  /// The letters before the dash.
  public var area: String { String(description.prefix { $0 != "-" }) }
}
