/// The two roles of the glucose profile; either may be the local host of a rendering.
public enum Party: String, Sendable, Hashable, CaseIterable {
  case collector
  case sensor

  /// The party at the other end.
  public var other: Party { self == .collector ? .sensor : .collector }
}

/// The two roles of a link.
public enum LinkRole: UInt8, Sendable, Hashable {
  case central = 0
  case peripheral = 1

  /// The role at the other end.
  public var other: LinkRole { self == .central ? .peripheral : .central }
}
