public import BluetoothWire

/// One pairing of a link, from its first PDU to what came of it (Core Vol 3 Part H 2.1).
public struct PairingAttempt: Sendable {
  /// What the two sides asked for; nil where the capture has no Pairing Request or Pairing Response.
  public var request: PairingFeatures?
  public var response: PairingFeatures?
  /// The side that sent the Pairing Request; nil where that is not in the capture.
  public var initiatedBy: Side?
  /// Frame and time of the first PDU, in microseconds since 1970 UTC.
  public var frame: UInt32
  public var time: Int64
  /// Time of the last PDU of it.
  public var lastTime: Int64
  public var end = End.open
  /// The frame that decided it; 0 while nothing has.
  public var endFrame: UInt32 = 0
  /// True where PDUs of it may be missing: the logger cut or lost some.
  public var mayLackPDUs = false
  /// True where Pairing Failed came while the keys were still handed over.
  public internal(set) var isRevoked = false
  /// The SMP codes that each side sent, one bit each.
  private var sentCodes: UInt16 = 0
  private var receivedCodes: UInt16 = 0

  /// What came of a pairing.
  public enum End: Sendable, Equatable {
    /// Encryption came on with the key it made.
    case encrypted
    /// Pairing Failed.
    case failed(PairingFailure, by: Side)
    /// Encryption with the key it made did not come on.
    case notEncrypted(ControllerError)
    /// The link ended before.
    case linkEnded
    /// Nothing came of either side for 30 s (Core Vol 3 Part H 3.4).
    case timedOut
    /// The controller was reset or closed before.
    case controllerGone
    /// The capture does not show it.
    case unseen
    /// It is under way when the capture ends, or at the moment of reading.
    case open
  }

  /// What of a bond a pairing has made.
  public enum Bond: Sendable, Equatable {
    case made
    /// A side did not ask for it.
    case notAskedFor
    /// Both asked for it, and the long-term key of legacy pairing was not handed over.
    case lacksKey
    /// The two have the key, and not all of the rest that they agreed to hand over.
    case lacksRest
    /// Ended by Pairing Failed after encryption.
    case failed
    /// The capture does not show it.
    case unknown
  }

  /// Microseconds after which a pairing in which nothing moves has failed (Core Vol 3 Part H 3.4).
  static let patience: Int64 = 30_000_000

  init(_ event: LinkEvent) {
    frame = event.frame
    time = event.time
    lastTime = event.time
  }

  /// Takes a PDU of the pairing or of the handing over of its keys.
  mutating func take(_ event: LinkEvent, code: UInt8) {
    lastTime = event.time
    if event.isReceived { receivedCodes |= 1 << UInt16(code & 0x0F) } else { sentCodes |= 1 << UInt16(code & 0x0F) }
  }

  /// True where both sides sent a PDU of a code.
  private func hasBoth(_ code: UInt16) -> Bool { sentCodes & receivedCodes & 1 << code != 0 }

  private func hasEither(_ code: UInt16) -> Bool { (sentCodes | receivedCodes) & 1 << code != 0 }

  /// True where more than the Pairing Request is there of it.
  public var wasAnswered: Bool { response != nil || sentCodes | receivedCodes != 0 || mayLackPDUs }

  /// True where both sides agreed on Secure Connections; nil where the capture does not show it.
  public var isSecureConnections: Bool? {
    if hasEither(0x0C) || hasEither(0x0D) { return true }
    guard let request, let response, !request.isCut, !response.isCut else { return nil }
    return request.hasSecureConnections && response.hasSecureConnections
  }

  /// True where the sides have shown each other all that makes the key: the checks of Secure Connections, or the random
  /// values of legacy pairing (Core Vol 3 Part H 2.3.5.5, 2.3.5.6.5).
  public var hasMadeKey: Bool { hasBoth(isSecureConnections ?? true ? 0x0D : 0x04) }

  /// What of a bond came of it.
  public var bond: Bond {
    guard end == .encrypted else { return .unknown }
    guard let request, let response, !request.isCut, !response.isCut else { return .unknown }
    if isRevoked { return .failed }
    guard request.wantsBonding && response.wantsBonding else { return .notAskedFor }
    if isSecureConnections == false && !hasLongTermKey(response) {
      return mayLackPDUs || response.lacksKeys ? .unknown : .lacksKey
    }
    return hasAllKeys ? .made : .lacksRest
  }

  /// True where the key of a legacy bond was handed over: that of the peripheral, which is the responder, or where it has
  /// none to give that of the central, for links with changed roles (Core Vol 3 Part H 2.4.4).
  private func hasLongTermKey(_ response: PairingFeatures) -> Bool {
    let isOfResponder = response.responderKeys & 1 != 0
    guard isOfResponder || response.initiatorKeys & 1 != 0 else { return false }
    let isSent = (initiatedBy != .remote) != isOfResponder
    let codes = isSent ? sentCodes : receivedCodes
    return codes & 1 << 0x06 != 0 && codes & 1 << 0x07 != 0
  }

  /// True where nothing is still to be handed over, as far as the two features tell.
  var hasAllKeys: Bool {
    guard let response, !response.lacksKeys, !mayLackPDUs else { return true }
    let isLegacy = isSecureConnections == false
    if isLegacy && !(hasAll(0x06, 1, response) && hasAll(0x07, 1, response)) { return false }
    return hasAll(0x08, 2, response) && hasAll(0x09, 2, response) && hasAll(0x0A, 4, response)
  }

  /// True where each side that was to hand over a kind of key has sent it. The response has the last word on that (Core
  /// Vol 3 Part H 3.6.1).
  private func hasAll(_ code: UInt16, _ kind: UInt8, _ response: PairingFeatures) -> Bool {
    let isLocal = initiatedBy != .remote
    let initiator = isLocal ? sentCodes : receivedCodes
    let responder = isLocal ? receivedCodes : sentCodes
    if response.initiatorKeys & kind != 0 && initiator & 1 << code == 0 { return false }
    return response.responderKeys & kind == 0 || responder & 1 << code != 0
  }
}
