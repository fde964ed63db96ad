import BluetoothWire
import LinkTrace

/// Says what an ACL fragment carries besides ATT: pairing, signalling, other channels, parts of a PDU.
enum ChannelText {
  /// `isContinuation` and lengths as the ACL and L2CAP headers say (Core Vol 3 Part A 2.1); `bytes` begin with the ACL header.
  static func fragment(_ bytes: RawSpan) -> String {
    guard bytes.byteCount >= 4 else { return "ACL data, cut" }
    let count = bytes.byteCount - 4
    // Qualcomm controllers log on this handle inside Android's captures (CaptureTotals.vendorLogPackets).
    if bytes.u16(at: 0) & 0x0FFF == 0x0EDC { return "a chip's own log (handle 0x0EDC), \(count) octets" }
    if bytes.u16(at: 0) >> 12 & 3 == 1 { return "continuation, \(count) octets" }
    guard count >= 4 else { return "fragment of \(count) octets" }
    let total = Int(bytes.u16(at: 4))
    let channel = bytes.u16(at: 6)
    let name = channelName(channel)
    if count - 4 < total { return "fragment of \(name) PDU, \(count - 4) of \(total) octets" }
    if channel == 0x0005 { return signalling(bytes.extracting(8..<bytes.byteCount)) }
    if channel == 0x0004 && total > 0 { return "\(ATTOpcode(rawValue: bytes.u8(at: 8)).name), \(total) octets" }
    return "\(name), \(total) octets"
  }

  private static func channelName(_ channel: UInt16) -> String {
    switch channel {
    case 0x0001: "BR/EDR signalling"
    case 0x0004: "ATT"
    case 0x0005: "LE signalling"
    case 0x0006: "SMP"
    default: "L2CAP channel 0x" + hex(UInt64(channel), digits: 4)
    }
  }

  /// One command of the LE signalling channel (Core Vol 3 Part A 4).
  private static func signalling(_ bytes: RawSpan) -> String {
    guard bytes.byteCount >= 4 else { return "LE signalling, cut" }
    let count = bytes.byteCount - 4
    switch bytes.u8(at: 0) {
    case 0x01: return "L2CAP Command Reject"
    case 0x06: return "L2CAP Disconnection Request"
    case 0x07: return "L2CAP Disconnection Response"
    case 0x12 where count >= 8:
      return "Connection Parameter Update Request, interval \(bytes.u16(at: 4))–\(bytes.u16(at: 6)) × 1.25 ms, "
        + "latency \(bytes.u16(at: 8)), timeout \(Int(bytes.u16(at: 10)) * 10) ms"
    case 0x13 where count >= 2:
      return "Connection Parameter Update Response, " + (bytes.u16(at: 4) == 0 ? "accepted" : "rejected")
    case 0x14 where count >= 4:
      return "LE Credit Based Connection Request, SPSM 0x" + hex(UInt64(bytes.u16(at: 4)), digits: 4)
    case 0x15: return "LE Credit Based Connection Response"
    case 0x16: return "Flow Control Credit"
    case 0x17 where count >= 8:
      return "Credit Based Connection Request, SPSM 0x" + hex(UInt64(bytes.u16(at: 4)), digits: 4)
        + ", \((count - 8) / 2) channels"
    case 0x18: return "Credit Based Connection Response"
    case 0x19: return "Credit Based Reconfigure Request"
    case 0x1A: return "Credit Based Reconfigure Response"
    case let code: return "LE signalling code 0x" + hex(UInt64(code), digits: 2)
    }
  }

  /// What an event of the Security Manager's channel says; nil for other events. Keys are named, never shown.
  static func security(_ event: LinkEvent) -> String? {
    switch event.kind {
    case .securityRequest: return "SMP Security Request"
    case .pairingRequest, .pairingResponse:
      return "SMP Pairing " + (event.kind == .pairingRequest ? "Request" : "Response")
        + featureText(PairingFeatures(packed: event.value))
    case .pairingFailed:
      return "SMP Pairing Failed, " + (event.value == 0 ? PairingFailure(rawValue: event.code).name : "reason cut")
    case .keyDistribution, .pairingStep: return "SMP " + stepName(event.code)
    case .reassemblyBroken:
      switch event.code {
      case 1: return "continuation whose first fragment is not in the capture"
      case 2: return "begins a packet although the one before it is not complete"
      case 3: return "more octets than its packet has"
      default: return "fragment whose direction cannot be told"
      }
    default: return nil
    }
  }

  /// What a side of a pairing asks for, as far as the capture holds it.
  private static func featureText(_ features: PairingFeatures) -> String {
    guard features.heldOctets > 0 else { return ", what it asks for cut" }
    let capability = ", \(features.ioCapabilityName)"
    guard features.heldOctets > 2 else { return capability + ", the rest of what it asks for cut" }
    return capability + (features.wantsBonding ? ", bonding" : ", no bonding") + (features.wantsMITM ? ", MITM" : "")
      + (features.hasSecureConnections ? ", Secure Connections" : ", legacy")
  }

  private static func stepName(_ code: UInt8) -> String {
    switch code {
    case 0x03: "Pairing Confirm"
    case 0x04: "Pairing Random"
    case 0x06: "Encryption Information"
    case 0x07: "Central Identification"
    case 0x08: "Identity Information"
    case 0x09: "Identity Address Information"
    case 0x0A: "Signing Information"
    case 0x0C: "Pairing Public Key"
    case 0x0D: "Pairing DHKey Check"
    case 0x0E: "Keypress Notification"
    default: "code 0x" + hex(UInt64(code), digits: 2)
    }
  }
}
