/// What the story is told of.
public struct StoryOptions: Sendable {
  /// Every link in full, however many there are.
  public var all = false
  /// Only this device: an address or a part of its name.
  public var device: String?
  /// Only this link.
  public var link: UInt32?
  public var zone = TimeText.Zone.local

  public init() {}
}
