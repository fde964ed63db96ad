import BluetoothWire
import LinkTrace

/// Says what the sides of a pairing asked for and what came of it.
enum PairingText {
  /// A pairing after which encryption came on.
  ///
  /// - Parameters:
  ///   - keySize: octets of the key in use as the controller tells it; nil where it does not.
  ///   - cause: how the link ended: what was not handed over by then may still come, or may not.
  static func completed(_ attempt: PairingAttempt, keySize: UInt8?, cause: LinkEnd.Cause) -> [String] {
    guard let request = attempt.request, let response = attempt.response else {
      return ["paired; how is not in the capture"]
    }
    if request.isCut || response.isCut { return ["paired; how was cut by the logger"] }
    let key = keySize ?? min(request.maximumKeySize, response.maximumKeySize)
    var parts = [kind(request, response) + ", " + bond(attempt, cause) + ", \(key)-octet key"]
    parts.append(capabilities(request, response))
    if attempt.bond == .lacksKey && cause == .disconnected {
      parts.append("both asked to bond, and no long-term key was handed over")
    }
    return parts
  }

  private static func kind(_ request: PairingFeatures, _ response: PairingFeatures) -> String {
    let isSecure = request.hasSecureConnections && response.hasSecureConnections
    return (isSecure ? "LE Secure Connections" : "LE legacy pairing") + ", "
      + PairingMethod(initiator: request, responder: response).rawValue
  }

  private static func capabilities(_ request: PairingFeatures, _ response: PairingFeatures) -> String {
    "IO \(request.ioCapabilityName) / \(response.ioCapabilityName)"
  }

  private static func bond(_ attempt: PairingAttempt, _ cause: LinkEnd.Cause) -> String {
    switch attempt.bond {
    case .made, .lacksRest: return "bonded"
    case .notAskedFor, .failed: return "not bonded"
    case .unknown: return "bonding agreed on"
    case .lacksKey: break
    }
    switch cause {
    case .disconnected, .controllerGone: return "not bonded"
    case .open: return "bonding not finished"
    case .captureEnded: return "bonding not finished when the capture ends"
    case .superseded: return "bonding agreed on"
    }
  }

  /// The last pairing after which encryption did not come on, if there is one, or Pairing Failed by itself.
  static func brokenOff(_ summary: LinkSummary) -> [String]? {
    let security = summary.security
    guard let attempt = security.brokenOff else {
      return security.failure.map { ["pairing failed: \($0.reason.name), said \(party($0.by, summary)) #\($0.frame)"] }
    }
    let what = end(attempt, summary)
    // Beside a pairing that succeeded, and under encryption that was there before, what was asked for is of no account.
    if let completed = security.completed, completed.frame > attempt.frame { return ["before that, " + what] }
    if security.state(at: attempt.frame) == .encrypted { return ["another " + what, "the link stays encrypted"] }
    return asked(attempt) + [what]
  }

  private static func asked(_ attempt: PairingAttempt) -> [String] {
    guard let request = attempt.request else { return ["the beginning of a pairing is not in the capture"] }
    if request.isCut || attempt.response?.isCut ?? false { return ["asked to pair; for what was cut by the logger"] }
    guard let response = attempt.response else {
      return [
        "asked for " + (request.hasSecureConnections ? "LE Secure Connections" : "LE legacy pairing")
          + (request.wantsMITM ? ", MITM protection" : "") + (request.wantsBonding ? ", bonding" : ", no bonding")
      ]
    }
    let bonds = request.wantsBonding && response.wantsBonding
    return [
      "asked for " + kind(request, response) + (bonds ? ", bonding" : ", no bonding"), capabilities(request, response),
    ]
  }

  private static func end(_ attempt: PairingAttempt, _ summary: LinkSummary) -> String {
    switch attempt.end {
    case .failed(let reason, let side):
      return "pairing failed: \(reason.name), said \(party(side, summary)) #\(attempt.endFrame)"
    case .notEncrypted(let status):
      return "pairing failed: no encryption with the new key, \(status.name) #\(attempt.endFrame)"
    case .controllerGone: return "pairing cut off: the controller was reset or closed"
    case .open where summary.end.cause == .open: return "pairing under way"
    case .linkEnded, .timedOut, .open, .unseen, .encrypted: break
    }
    if attempt.mayLackPDUs || attempt.end == .unseen || (attempt.hasMadeKey && summary.start == nil) {
      return "pairing; how it ended is not in the capture"
    }
    let isMade = attempt.hasMadeKey
    switch attempt.end {
    case .linkEnded:
      let lasted = StoryWriter.span(attempt.time, summary.end.time)
      let words = isMade ? "pairing came through without encryption: " : "pairing broken off after \(lasted): "
      return words + ender(summary) + " #\(attempt.endFrame)"
    case .timedOut:
      return isMade
        ? "pairing came through, and encryption was not switched on"
        : "pairing timed out: nothing more came of it for 30 s"
    default:
      return "pairing not finished when the capture ends"
    }
  }

  private static func ender(_ summary: LinkSummary) -> String {
    guard let side = summary.end.endedBy else {
      return summary.end.isLoss ? "the link was lost" : "the link ended, \(summary.end.reason.name)"
    }
    return party(side, summary) + " ended the link"
  }

  private static func party(_ side: Side, _ summary: LinkSummary) -> String {
    guard let sensor = summary.sensor else { return side == .local ? "this host" : "the peer" }
    return side == sensor ? "the sensor" : "the collector"
  }
}
