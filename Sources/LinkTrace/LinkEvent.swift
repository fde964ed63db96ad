/// Something that happened to a link besides ATT, in 32 octets: security, parameters, transport, the capture itself.
///
/// Key material is never stored: only that it was exchanged.
public struct LinkEvent: Sendable, Equatable {
  public var frame: UInt32
  public var kind: Kind
  /// True for what the local host received: events of its controller and PDUs of the peer.
  public var isReceived: Bool
  /// Status, reason or code, as the kind says.
  public var code: UInt8
  /// Microseconds since 1970 UTC.
  public var time: Int64
  /// Packed parameters, as the kind says.
  public var value: UInt64

  public init(_ kind: Kind, frame: UInt32, time: Int64, isReceived: Bool, code: UInt8 = 0, value: UInt64 = 0) {
    self.frame = frame
    self.kind = kind
    self.isReceived = isReceived
    self.code = code
    self.time = time
    self.value = value
  }

  /// What happened.
  public enum Kind: UInt8, Sendable {
    /// Encryption Change: `code` status, `value` enabled in bits 0–7, key size in bits 8–15 (0 unknown).
    case encryptionChange
    /// Encryption Key Refresh Complete: `code` status.
    case keyRefresh
    /// LE Enable Encryption command: `value` 1 where EDIV or Random is not zero (a legacy bond's key).
    case startEncryption
    /// LE Long Term Key Request event: `value` as above.
    case longTermKeyRequest
    case longTermKeyReply
    case longTermKeyNegativeReply
    /// SMP Security Request: `code` AuthReq.
    case securityRequest
    /// SMP Pairing Request and Response: `value` as `PairingFeatures` packs it.
    case pairingRequest
    case pairingResponse
    /// SMP Pairing Failed: `code` reason, `value` 1 where the capture does not hold it.
    case pairingFailed
    /// SMP confirm, random, public key, DHKey check, keypress: `code` the SMP code.
    case pairingStep
    /// SMP key distribution: `code` the SMP code (6 encryption, 7 central identification, 8 identity, 9 address, 10 signing).
    case keyDistribution
    /// LE Connection Update Complete: `code` status, `value` interval, latency, timeout in 16 bits each.
    case connectionUpdate
    /// LE Connection Update command: `value` minimum, maximum interval, latency, timeout in 16 bits each.
    case connectionUpdateCommand
    /// L2CAP Connection Parameter Update Request: `value` as the command.
    case parameterRequest
    /// Its response: `code` result.
    case parameterResponse
    /// LE Remote Connection Parameter Request event: `value` as the command.
    case remoteParameterRequest
    /// LE PHY Update Complete: `code` status, `value` TX in bits 0–7, RX in bits 8–15.
    case phyUpdate
    /// LE Data Length Change: `value` TX octets, TX time, RX octets, RX time in 16 bits each.
    case dataLength
    /// Disconnect command: `code` reason.
    case disconnectCommand
    /// Disconnect command refused: `code` status.
    case disconnectRefused
    /// Credit-based channels asked for (`value` SPSM in bits 0–15, channel count above) and granted (`code` result).
    case channelRequest
    case channelResponse
    /// A fragment that fits nothing: `code` 1 continuation without start, 2 start while another PDU was open, 3 more
    /// octets than the PDU, 4 direction of a fragment cannot be told.
    case reassemblyBroken
    /// The clock of the capture was set while the link was up, back, or forth as far as sent packets tell: `code` 0, 1;
    /// `value` microseconds.
    case clockStep
    /// The logger lost packets while the link was up: `value` how many.
    case packetsLost
  }
}
