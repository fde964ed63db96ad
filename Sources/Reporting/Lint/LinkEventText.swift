import BluetoothWire
import LinkTrace

/// Says what happened to a link besides ATT, in one line.
enum LinkEventText {
  /// Nil for events that tell a reader nothing; `isOfHost` where one of the two hosts did it and not the controller.
  static func line(_ event: LinkEvent) -> (line: String, isOfHost: Bool)? {
    switch event.kind {
    case .encryptionChange where event.code != 0:
      ("encryption fails: \(ControllerError(rawValue: event.code).name)", false)
    case .encryptionChange: (event.value & 0xFF != 0 ? "encrypted" : "no longer encrypted", false)
    case .keyRefresh: ("encryption key refreshed", false)
    case .startEncryption: ("starts encryption with a stored key", true)
    case .longTermKeyNegativeReply: ("has no key for the peer", true)
    case .disconnectCommand: ("Disconnect: \(ControllerError(rawValue: event.code).name)", true)
    case .connectionUpdate:
      event.code == 0
        ? ("connection parameters changed", false)
        : ("connection parameters not changed: \(ControllerError(rawValue: event.code).name)", false)
    case .parameterRequest: ("asks for other connection parameters", true)
    case .remoteParameterRequest: ("the peer asks for other connection parameters", false)
    case .parameterResponse:
      (event.code == 0 ? "accepts the connection parameters" : "refuses the connection parameters", true)
    case .clockStep:
      (
        "the clock is set \(event.code == 0 ? "back" : "forward") by \(TimeText.duration(Int64(clamping: event.value)))",
        false
      )
    case .packetsLost: ("\(countText(event.value, "packet")) lost by the logger", false)
    default: ChannelText.security(event).map { ($0, true) }
    }
  }
}
