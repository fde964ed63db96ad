/// How the two sides of a pairing prove themselves (Core Vol 3 Part H 2.3.5.1).
public enum PairingMethod: String, Sendable {
  case justWorks = "Just Works"
  case passkey = "passkey"
  case numericComparison = "numeric comparison"
  case outOfBand = "out of band"

  /// The method two feature sets lead to.
  public init(initiator: PairingFeatures, responder: PairingFeatures) {
    let secure = initiator.hasSecureConnections && responder.hasSecureConnections
    let outOfBand =
      secure
      ? initiator.hasOutOfBandData || responder.hasOutOfBandData
      : initiator.hasOutOfBandData && responder.hasOutOfBandData
    if outOfBand {
      self = .outOfBand
    } else if !initiator.wantsMITM && !responder.wantsMITM {
      self = .justWorks
    } else {
      self = Self.byCapability(initiator.ioCapability, responder.ioCapability, secure: secure)
    }
  }

  private static func byCapability(_ initiator: UInt8, _ responder: UInt8, secure: Bool) -> PairingMethod {
    let noInputOutput: UInt8 = 3
    guard initiator != noInputOutput, responder != noInputOutput, initiator <= 4, responder <= 4 else {
      return .justWorks
    }
    let displayOnly: UInt8 = 0
    let displayYesNo: UInt8 = 1
    let keyboardOnly: UInt8 = 2
    if initiator == keyboardOnly || responder == keyboardOnly { return .passkey }
    if initiator == displayOnly || responder == displayOnly {
      return initiator <= displayYesNo && responder <= displayYesNo ? .justWorks : .passkey
    }
    if secure { return .numericComparison }
    return initiator == displayYesNo && responder == displayYesNo ? .justWorks : .passkey
  }
}
