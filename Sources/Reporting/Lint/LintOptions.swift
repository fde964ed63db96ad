/// What is judged.
public struct LintOptions: Sendable {
  public var selection = RuleSelection()
  /// Only what this side is at fault for.
  public var side: LintSide?
  /// Only this device: an address or a part of its name.
  public var device: String?
  /// True where the captures have nothing to do with each other: no rule looks beyond one of them.
  public var judgesSeparately = false

  public init() {}
}
