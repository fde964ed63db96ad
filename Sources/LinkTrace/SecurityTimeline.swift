public import BluetoothWire

/// What the events of a link say of its encryption, pairing and bond.
public struct SecurityTimeline: Sendable {
  /// Every change of encryption, in file order.
  public private(set) var changes: [Change] = []
  /// Features of the last pairing that was agreed on; nil where the capture shows none.
  public private(set) var pairing: Pairing?
  /// Pairing Failed, if it came: its reason, frame, and the side that sent it.
  public private(set) var failure: (reason: PairingFailure, frame: UInt32, by: Side)?
  /// The first Security Request of the peripheral.
  public private(set) var securityRequest: UInt32?
  /// The first Encryption Change that failed, or the refused long-term key: the stored key did not work.
  public private(set) var refusedKey: (status: ControllerError, frame: UInt32)?
  /// True where the link started encryption with a stored key before any pairing on this link.
  public private(set) var usedStoredKey = false
  /// True where the logger kept nothing of security packets before encryption: whether the sides paired is not shown.
  public private(set) var isCut = false
  /// Frame of the first Encryption Key Refresh Complete that did not fail; nil where there is none.
  public private(set) var keyRefresh: UInt32?
  /// True where keys were distributed after the pairing.
  public private(set) var distributedKeys = false

  /// A change of the link's encryption.
  public struct Change: Sendable {
    public var frame: UInt32
    public var time: Int64
    public var isOn: Bool
    /// Octets; 0 where the event does not tell.
    public var keySize: UInt8
  }

  /// A pairing both sides agreed on.
  public struct Pairing: Sendable {
    public var initiator: PairingFeatures
    public var responder: PairingFeatures
    /// Frame of the Pairing Request, and the side that sent it.
    public var frame: UInt32
    public var initiatedBy: Side
    public var method: PairingMethod { PairingMethod(initiator: initiator, responder: responder) }
    /// True where the two sides' displays and keyboards would do for passkey or comparison.
    public var canAuthenticate: Bool {
      var asking = initiator
      asking.authentication |= 0x04
      return PairingMethod(initiator: asking, responder: responder) != .justWorks
    }
    public var isSecureConnections: Bool { initiator.hasSecureConnections && responder.hasSecureConnections }
    public var bonds: Bool { initiator.wantsBonding && responder.wantsBonding }
    public var keySize: UInt8 { min(initiator.maximumKeySize, responder.maximumKeySize) }
    /// True where the features of a side are not all in the capture: none of the others can be relied on.
    public var isCut: Bool { initiator.isCut || responder.isCut }
  }

  /// What is known of the encryption at a frame.
  public enum State: Sendable { case encrypted, clear, unknown }

  private let startSeen: Bool

  public init(_ history: borrowing LinkHistory) {
    startSeen = history.start != nil
    var request: (PairingFeatures, UInt32, Side)?
    for event in history.events {
      switch event.kind {
      case .encryptionChange:
        if event.code == 0 {
          changes.append(
            Change(
              frame: event.frame,
              time: event.time,
              isOn: event.value & 0xFF != 0,
              keySize: UInt8(truncatingIfNeeded: event.value >> 8)
            )
          )
        } else if refusedKey == nil {
          refusedKey = (ControllerError(rawValue: event.code), event.frame)
        }
      case .startEncryption, .longTermKeyReply:
        if pairing == nil && request == nil && !isCut { usedStoredKey = true }
      case .pairingStep where event.code == 0: if changes.isEmpty { isCut = true }
      case .longTermKeyNegativeReply:
        if refusedKey == nil { refusedKey = (.keyMissing, event.frame) }
      case .keyRefresh: if event.code == 0 && keyRefresh == nil { keyRefresh = event.frame }
      case .securityRequest: if securityRequest == nil { securityRequest = event.frame }
      case .pairingRequest:
        request = (PairingFeatures(packed: event.value), event.frame, event.isReceived ? .remote : .local)
      case .pairingResponse:
        if let request {
          pairing = Pairing(
            initiator: request.0,
            responder: PairingFeatures(packed: event.value),
            frame: request.1,
            initiatedBy: request.2
          )
        }
      case .pairingFailed:
        failure = (PairingFailure(rawValue: event.code), event.frame, event.isReceived ? .remote : .local)
      case .keyDistribution: distributedKeys = true
      default: continue
      }
    }
  }

  /// The encryption when a frame passed: unknown before the first change where the link's start is not in the file.
  public func state(at frame: UInt32) -> State {
    var state: State = startSeen ? .clear : .unknown
    for change in changes {
      if change.frame > frame { break }
      state = change.isOn ? .encrypted : .clear
    }
    return state
  }

  /// The first change that turned encryption on.
  public var firstOn: Change? { changes.first { $0.isOn } }
}
