import BluetoothWire

/// What one link shows of the bond between a collector and a device.
public struct DeviceSecurity: Sendable {
  /// Frame of the first Pairing Request; 0 where there is none.
  public var pairingFrame: UInt32 = 0
  /// True where a pairing was completed, and where it left a bond: both sides asked for it, and the key of legacy pairing
  /// was handed over.
  public var hasPaired = false
  public var hasBonded = false
  /// Frame in which the last pairing was completed; 0 where none was.
  public var pairedFrame: UInt32 = 0
  /// Frame of the order to encrypt with a stored key; on the other side of the controller's question for it, or of the
  /// answer that there is none. 0 where there is neither.
  public var storedKeyFrame: UInt32 = 0
  /// True where the link was encrypted with it.
  public var usedStoredKey = false
  /// Frame in which the stored key was refused or did not fit; 0 where it was not.
  public var refusalFrame: UInt32 = 0
  /// The status or reason with which it was refused; 0 where it was not.
  public var refusalCode: UInt8 = 0
  /// True where encryption was on at any time, and the frame that first says so; 0 where none does.
  public var wasEncrypted = false
  public var encryptedFrame: UInt32 = 0
  /// True where a side of this link uses a resolvable private address, and where that side gave its identity key.
  public var sensorIsResolvable = false
  public var collectorIsResolvable = false
  public var sensorGaveIdentity = false
  public var collectorGaveIdentity = false

  init(_ history: borrowing LinkHistory, sensor: Side) {
    var isPairing = false
    var wantsBond = false
    var asked: PairingFeatures?
    // Legacy pairing makes a key for this link alone; that of a bond is handed over afterwards (Core Vol 3 Part H 2.4.1).
    var awaitsKey = false
    var isCut = false
    var hasFailed = false
    let isLossy = history.counts.lostPackets > 0 || history.counts.brokenFragments > 0
    for event in history.events {
      switch event.kind {
      case .pairingRequest:
        if pairingFrame == 0 { pairingFrame = event.frame }
        isPairing = true
        asked = PairingFeatures(packed: event.value)
        wantsBond = false
      case .pairingResponse:
        let answer = PairingFeatures(packed: event.value)
        wantsBond = (asked?.wantsBonding ?? false) && answer.wantsBonding
        awaitsKey = !(asked?.hasSecureConnections ?? true && answer.hasSecureConnections)
      case .pairingFailed:
        isPairing = false
        hasFailed = true
      case .pairingStep where event.code == 0: isCut = true
      case .pairingStep:
        // The beginning of the pairing is not in the capture.
        if pairingFrame == 0 && !hasPaired && !hasFailed { isPairing = true }
      case .startEncryption, .longTermKeyRequest:
        if !isPairing && !isCut && storedKeyFrame == 0 { storedKeyFrame = event.frame }
      case .longTermKeyNegativeReply:
        if !isPairing && refusalFrame == 0 {
          refusalFrame = event.frame
          refusalCode = 0x06
          storedKeyFrame = event.frame
        }
      case .encryptionChange:
        if event.code != 0 {
          if !isPairing && refusalFrame == 0 {
            refusalFrame = event.frame
            refusalCode = event.code
          }
          continue
        }
        guard event.value & 0xFF != 0 else { continue }
        wasEncrypted = true
        if encryptedFrame == 0 { encryptedFrame = event.frame }
        if isPairing {
          hasPaired = true
          pairedFrame = event.frame
          if wantsBond && (!awaitsKey || isCut || isLossy) { hasBonded = true }
          isPairing = false
        } else if storedKeyFrame != 0 && refusalFrame == 0 && !hasPaired {
          usedStoredKey = true
        }
      case .keyRefresh where event.code == 0 && isPairing && wasEncrypted:
        // Another pairing on a link that is encrypted already.
        hasPaired = true
        pairedFrame = event.frame
        if wantsBond && (!awaitsKey || isCut || isLossy) { hasBonded = true }
        isPairing = false
      case .keyDistribution where event.code == 0x06:
        if hasPaired && wantsBond && !isPairing { hasBonded = true }
      case .keyDistribution where event.code == 0x08:
        if (event.isReceived ? Side.remote : .local) == sensor {
          sensorGaveIdentity = true
        } else {
          collectorGaveIdentity = true
        }
      default: continue
      }
    }
    if refusalFrame == 0 && storedKeyFrame != 0 && !wasEncrypted && history.end.cause == .disconnected {
      let reason = history.end.reason.rawValue
      if reason == 0x05 || reason == 0x06 || reason == 0x3D {
        refusalFrame = history.end.frame
        refusalCode = reason
      }
    }
    guard let start = history.start else { return }
    let isPeerResolvable = start.peer.kind == .resolvablePrivate
    sensorIsResolvable = sensor == .remote ? isPeerResolvable : start.localResolvable != nil
    collectorIsResolvable = sensor == .local ? isPeerResolvable : start.localResolvable != nil
  }
}
