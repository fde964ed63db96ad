public import BluetoothWire

/// What the events of a link say of its encryption, pairing and bond.
public struct SecurityTimeline: Sendable {
  /// Every change of encryption, in file order.
  public private(set) var changes: [Change] = []
  /// Features of the last pairing that was agreed on; nil where the capture shows none.
  public private(set) var pairing: Pairing?
  /// The last pairing after which encryption came on: the one that made the key in use.
  public private(set) var completed: PairingAttempt?
  /// The last pairing that did not come to that, or has not yet.
  public private(set) var brokenOff: PairingAttempt?
  /// Pairing Failed, if it came: its reason, frame, and the side that sent it.
  public private(set) var failure: (reason: PairingFailure, frame: UInt32, by: Side)?
  /// The first Security Request of the peripheral.
  public private(set) var securityRequest: UInt32?
  /// The first Encryption Change that failed, or the refused long-term key: the stored key did not work.
  public private(set) var refusedKey: (status: ControllerError, frame: UInt32)?
  /// True where the link started encryption with a stored key, before any pairing came to its end on this link.
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
    let isLossy = history.counts.lostPackets > 0 || history.counts.brokenFragments > 0
    var current: PairingAttempt?
    for event in history.events {
      switch event.kind {
      case .encryptionChange: encrypt(event, &current)
      case .startEncryption, .longTermKeyReply:
        if let attempt = current, event.time &- attempt.lastTime >= PairingAttempt.patience {
          end(&current, .timedOut, 0)
        }
        if current == nil && completed == nil && !isCut { usedStoredKey = true }
      case .longTermKeyNegativeReply:
        if current != nil {
          end(&current, .notEncrypted(.keyMissing), event.frame)
        } else if refusedKey == nil {
          refusedKey = (.keyMissing, event.frame)
        }
      case .keyRefresh: refresh(event, &current)
      case .securityRequest:
        if securityRequest == nil { securityRequest = event.frame }
        lastSecurityRequest = event.frame
      case .pairingRequest:
        var attempt = PairingAttempt(event)
        attempt.request = PairingFeatures(packed: event.value)
        attempt.initiatedBy = event.isReceived ? .remote : .local
        attempt.mayLackPDUs = isLossy
        current = attempt
      case .pairingResponse: respond(event, &current, isLossy: isLossy)
      case .pairingStep where event.code == 0:
        if changes.isEmpty { isCut = true }
        current?.mayLackPDUs = true
      case .pairingStep:
        meet(event, &current, isLossy: isLossy)
        current?.take(event, code: event.code)
      case .pairingFailed:
        let side: Side = event.isReceived ? .remote : .local
        failure = (PairingFailure(rawValue: event.code), event.frame, side)
        if current != nil {
          end(&current, .failed(PairingFailure(rawValue: event.code), by: side), event.frame)
        } else if let done = completed, lastSecurityRequest < done.frame, !done.hasAllKeys {
          completed?.isRevoked = true
        }
      case .keyDistribution:
        distributedKeys = true
        // Keys are handed over under encryption alone, also where the event of it is not in the capture.
        complete(&current, event.frame)
        if current == nil { completed?.take(event, code: event.code) }
      default: continue
      }
    }
    conclude(&current, history)
  }

  /// The frame of the last Security Request; 0 where there is none.
  private var lastSecurityRequest: UInt32 = 0

  private mutating func encrypt(_ event: LinkEvent, _ current: inout PairingAttempt?) {
    guard event.code == 0 else {
      let status = ControllerError(rawValue: event.code)
      if current?.wasAnswered ?? false {
        end(&current, .notEncrypted(status), event.frame)
      } else if refusedKey == nil {
        refusedKey = (status, event.frame)
      }
      return
    }
    let change = Change(
      frame: event.frame,
      time: event.time,
      isOn: event.value & 0xFF != 0,
      keySize: UInt8(truncatingIfNeeded: event.value >> 8)
    )
    changes.append(change)
    if change.isOn { complete(&current, event.frame) }
  }

  /// A link that is encrypted already has its key refreshed where another pairing comes to its end (Core Vol 4 Part E
  /// 7.7.39).
  private mutating func refresh(_ event: LinkEvent, _ current: inout PairingAttempt?) {
    if event.code == 0 {
      if keyRefresh == nil { keyRefresh = event.frame }
      complete(&current, event.frame)
    } else if current?.wasAnswered ?? false {
      end(&current, .notEncrypted(ControllerError(rawValue: event.code)), event.frame)
    }
  }

  private mutating func respond(_ event: LinkEvent, _ current: inout PairingAttempt?, isLossy: Bool) {
    meet(event, &current, isLossy: isLossy)
    let features = PairingFeatures(packed: event.value)
    current?.response = features
    current?.lastTime = event.time
    guard let current, let request = current.request, let initiatedBy = current.initiatedBy else { return }
    pairing = Pairing(initiator: request, responder: features, frame: current.frame, initiatedBy: initiatedBy)
  }

  /// A PDU of a pairing whose beginning is not in the capture; what comes after the end of one is its straggler.
  private func meet(_ event: LinkEvent, _ current: inout PairingAttempt?, isLossy: Bool) {
    guard current == nil, completed == nil, brokenOff == nil, failure == nil else { return }
    current = PairingAttempt(event)
    current?.mayLackPDUs = isLossy
  }

  private mutating func complete(_ current: inout PairingAttempt?, _ frame: UInt32) {
    guard var attempt = current, attempt.wasAnswered else { return }
    attempt.end = .encrypted
    attempt.endFrame = frame
    completed = attempt
    current = nil
  }

  private mutating func end(_ current: inout PairingAttempt?, _ end: PairingAttempt.End, _ frame: UInt32) {
    guard var attempt = current else { return }
    attempt.end = end
    attempt.endFrame = frame
    brokenOff = attempt
    current = nil
  }

  /// What became of a pairing that nothing has decided.
  private mutating func conclude(_ current: inout PairingAttempt?, _ history: borrowing LinkHistory) {
    guard let attempt = current else { return }
    let last = history.end.cause == .disconnected ? history.end.time : history.lastTime
    if last &- attempt.lastTime >= PairingAttempt.patience { return end(&current, .timedOut, 0) }
    switch history.end.cause {
    case .disconnected: end(&current, .linkEnded, history.end.frame)
    case .controllerGone: end(&current, .controllerGone, history.end.frame)
    case .superseded: end(&current, .unseen, 0)
    case .open, .captureEnded: end(&current, .open, 0)
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
