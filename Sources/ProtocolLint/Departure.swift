import BluetoothWire
import LinkTrace

/// Who ended a link and when, as far as the capture tells.
struct Departure: Sendable {
  var by: Author
  /// The Disconnect command where the host that sent it was captured, else the end of the link.
  var frame: UInt32
  /// Microseconds since 1970 UTC.
  var time: Int64

  /// What is behind the end of a link.
  enum Author: Sendable {
    case sensor
    case collector
    /// The radio: supervision or response time-out, a message that does not authenticate.
    case linkLoss
    /// The link is up, the capture ends before, or nothing tells.
    case unknown
  }

  init(_ history: borrowing LinkHistory, sensor: Side?) {
    by = .unknown
    frame = history.end.frame
    time = history.end.time
    guard history.end.cause == .disconnected else { return }
    if let side = history.end.endedBy {
      if let sensor { by = side == sensor ? .sensor : .collector }
    } else if history.end.isLoss {
      by = .linkLoss
    }
    guard history.end.endedBy == .local else { return }
    for event in history.events.reversed() {
      if event.kind == .disconnectRefused { break }
      if event.kind == .disconnectCommand {
        frame = event.frame
        time = event.time
        break
      }
    }
  }
}
