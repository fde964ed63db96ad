public import BluetoothWire

/// How a link ended, or why its end is not known.
public struct LinkEnd: Sendable, Equatable {
  public var cause: Cause
  /// The frame that ended it, or the last one of the capture.
  public var frame: UInt32
  /// Microseconds since 1970 UTC.
  public var time: Int64
  /// The reason of the Disconnection Complete; meaningless for the other causes.
  public var reason: ControllerError
  /// The side whose host is known to have ended it; nil for link loss and where nothing tells.
  public var endedBy: Side?

  /// True where the radio link was lost: no host is known to have ended it.
  public var isLoss: Bool { cause == .disconnected && endedBy == nil && reason.isLinkLoss }

  /// Why the history is over.
  public enum Cause: String, Sendable {
    /// Still up at the moment of reading.
    case open
    /// Disconnection Complete.
    case disconnected
    /// The capture ends while the link is up.
    case captureEnded
    /// The controller was reset, removed or closed.
    case controllerGone
    /// The same handle was given to a new link: the end was not captured.
    case superseded
  }
}
