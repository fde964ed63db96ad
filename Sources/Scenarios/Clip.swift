/// How a logger shortens ACL packets (captures.md 4.3).
public enum Clip: String, Sendable, Hashable, CaseIterable {
  /// Android's headers mode: starts are cut to 14 octets with the type octet, five of them ATT.
  case headers
  /// Android's channel list: starts are cut to 9 octets with the type octet, none of them ATT.
  case channels
  /// Android's ring buffer: every ACL packet is cut to 14 octets without the type octet, six of them ATT.
  case ring

  /// Octets of the bare HCI packet that stay.
  public var keptOctets: Int {
    switch self {
    case .headers: 13
    case .channels: 8
    case .ring: 14
    }
  }

  /// True where continuation fragments are cut as well.
  public var cutsContinuations: Bool { self == .ring }
}
