/// One end of a link, seen from the host whose traffic was captured.
public enum Side: UInt8, Sendable {
  case local, remote

  /// The other end.
  public var other: Side { self == .local ? .remote : .local }
}
