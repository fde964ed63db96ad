public import BluetoothWire
public import RecordCollector

/// Answers what the kernel asks during pairing with one meter, and keeps the keys that come of it.
///
/// Where bluetoothd runs, pairing is its business: the agent then only listens.
public struct PairingAgent {
  private let control: ControlChannel
  private let adapter: UInt16
  /// The address under which the meter is connected: its identity once that is known.
  public private(set) var peer: DeviceAddress
  /// False where another program answers.
  private let answers: Bool
  private var passkey: Prompt
  private var asks: Question?
  private var bonds: any BondKeeping
  private var pairing: Bond?
  private var isPairing = false
  /// The kernel was handed a passkey on this link.
  public private(set) var hasGivenPasskey = false

  /// Why pairing or encryption failed, as far as the kernel tells.
  public private(set) var failure: SecurityFailure?
  /// What was refused here, and until when the kernel's word that pairing failed is waited for.
  private var refusal: (failure: SecurityFailure, deadline: UInt64)?
  /// Why the link ended, as the kernel tells it.
  public private(set) var disconnection: ManagementEvent.DisconnectionReason?
  /// True once a key of this link has been kept.
  public private(set) var hasNewBond = false
  /// The bond could not be kept: why.
  public private(set) var keepingFailure: String?
  /// The adapter went away.
  public private(set) var adapterIsGone = false
  /// Shows a passkey or asks a question; the text has no secret of ours but the passkey to type on the meter.
  private let say: (String) -> Void

  private enum Question { case passkey, comparison }

  /// - Parameters:
  ///   - answers: false where bluetoothd has pairing in its hands.
  ///   - say: writes one line for the user.
  public init(
    _ control: ControlChannel,
    adapter: UInt16,
    peer: DeviceAddress,
    answers: Bool,
    passkey: Prompt,
    bonds: any BondKeeping,
    say: @escaping (String) -> Void
  ) {
    self.control = control
    self.adapter = adapter
    self.peer = peer
    self.answers = answers
    self.passkey = passkey
    self.bonds = bonds
    self.say = say
  }

  /// What to wait for: the control channel, and the person where one is asked.
  public var interests: [EventLoop.Interest] {
    [EventLoop.Interest(control.descriptor), EventLoop.Interest(asks == nil ? -1 : passkey.descriptor)]
  }

  /// Forgets what the link before left, for a new one.
  public mutating func beginLink(to peer: DeviceAddress) {
    self.peer = peer
    failure = nil
    refusal = nil
    disconnection = nil
    hasNewBond = false
    pairing = nil
    isPairing = false
    hasGivenPasskey = false
    asks = nil
  }

  /// Waits a moment for keys that are still on their way, where the meter was paired with on this link.
  public mutating func settle(_ loop: inout EventLoop) {
    guard isPairing, !hasNewBond, failure == nil else { return }
    let deadline = MonotonicClock.now() + .seconds(0.5)
    while !hasNewBond && MonotonicClock.now() < deadline {
      serve(loop.wait(interests, until: deadline))
    }
  }

  /// Waits a moment for the kernel's reasons for a failure that a socket has reported already.
  public mutating func awaitReasons() {
    var loop = EventLoop(catchesSignals: false)
    let deadline = MonotonicClock.now() + .seconds(0.5)
    look()
    while disconnection == nil, failure == nil, !adapterIsGone, MonotonicClock.now() < deadline {
      serve([loop.wait([EventLoop.Interest(control.descriptor)], until: deadline)[0], false])
    }
    look()
    if failure == nil { failure = refusal?.failure }
  }

  /// True where the link ended over pairing or encryption, as the kernel tells it.
  public var hasFailedSecurity: Bool { failure != nil || disconnection == .authenticationFailure }

  /// Reads what waits on the control channel.
  public mutating func look() { serve([true, false]) }

  /// Reads what waits; `ready` is for `interests`.
  public mutating func serve(_ ready: [Bool]) {
    if ready[1], asks != nil { take(passkey.read()) }
    if let refusal, failure == nil, MonotonicClock.now() >= refusal.deadline { failure = refusal.failure }
    guard ready[0] || control.hasWaitingEvent else { return }
    do {
      while let (index, event) = try control.next() {
        if index == adapter { take(event) }
      }
    } catch {
      adapterIsGone = true
    }
  }

  private mutating func take(_ event: ManagementEvent) {
    switch event {
    case .adapterRemoved: adapterIsGone = true
    case .newSettings(let settings) where !settings.contains(.powered): adapterIsGone = true
    case .connectFailed(let address, let status) where address == peer && status == .authenticationFailed:
      if failure == nil { failure = Self.failure(status) }
    case .confirmRequest(let address, let isHint, let value) where address == peer:
      isPairing = true
      confirm(isHint: isHint, value: value)
    case .passkeyRequest(let address) where address == peer:
      guard answers else { return }
      isPairing = true
      asks = .passkey
      take(passkey.ask("The meter shows a passkey, or has it on a label. Passkey: "))
    case .passkeyToShow(let address, let number) where address == peer:
      if answers { say("Enter this passkey on the meter: \(Self.digits(number))") }
    case .newIdentityKey(let key, let resolvable, let isToKeep) where resolvable == peer || key.address == peer:
      peer = key.address
      pairing = Bond(address: key.address, longTermKeys: [], identityKey: key)
      if !isToKeep { pairing = nil }
    case .newLongTermKey(let key, let isToKeep) where key.address == peer && isToKeep: keep(key)
    case .authenticationFailed(let address, let status) where address == peer:
      if failure == nil { failure = refusal?.failure ?? (hasGivenPasskey ? .passkey : Self.failure(status)) }
    case .disconnected(let address, let reason) where address == peer:
      disconnection = reason
      if failure == nil { failure = refusal?.failure }
    default: break
    }
  }

  private mutating func confirm(isHint: Bool, value: UInt32) {
    guard answers else { return }
    guard !isHint else { return send(.confirm(peer, accepts: true)) }
    asks = .comparison
    guard case .terminal = passkey.origin else {
      // Nobody can look at the meter: a number nobody compared proves nothing, and the user has asked for this meter.
      asks = nil
      return send(.confirm(peer, accepts: true))
    }
    take(passkey.ask("Does the meter show \(Self.digits(value))? Type yes or no: "))
  }

  private mutating func take(_ reply: Prompt.Reply) {
    guard let question = asks, reply != .pending else { return }
    asks = nil
    switch (question, reply) {
    case (.passkey, .line(let text)):
      let digits = text.filter { $0 != " " }
      if let number = UInt32(digits), number <= 999_999, digits.utf8.count <= 6 {
        hasGivenPasskey = true
        send(.passkey(peer, number))
      } else {
        refuse(.passkey, .passkey(peer, nil))
      }
    case (.passkey, _): refuse(.passkey, .passkey(peer, nil))
    case (.comparison, .line(let text)):
      let accepts = ["y", "yes"].contains(text.lowercased())
      if accepts { send(.confirm(peer, accepts: true)) } else { refuse(.declined, .confirm(peer, accepts: false)) }
    case (.comparison, _): refuse(.declined, .confirm(peer, accepts: false))
    }
  }

  /// Says no, and lets the kernel tell the meter before anything ends the link: a meter that is not told shows its
  /// passkey for half a minute more.
  private mutating func refuse(_ reason: SecurityFailure, _ command: ManagementCommand) {
    refusal = (reason, MonotonicClock.now() + .seconds(0.5))
    send(command)
  }

  private mutating func send(_ command: ManagementCommand) {
    do {
      try control.send(command, adapter: adapter)
    } catch {
      failure = failure ?? .other("the kernel did not take the answer")
    }
  }

  private mutating func keep(_ key: LongTermKey) {
    var bond = pairing ?? Bond(address: key.address, longTermKeys: [])
    bond.longTermKeys.removeAll { $0.type == key.type && $0.isCentral == key.isCentral }
    bond.longTermKeys.append(key)
    pairing = bond
    // Bluetoothd keeps the keys of its own pairings.
    guard answers else { return }
    do {
      try bonds.keep(bond)
      hasNewBond = true
      failure = nil
    } catch {
      keepingFailure = "\(error)"
    }
  }

  private static func failure(_ status: ManagementStatus) -> SecurityFailure {
    switch status {
    case .authenticationFailed, .failed: .other("pairing was refused")
    case .timeout: .other("the meter did not answer")
    default: .other(status.name)
    }
  }

  private static func digits(_ number: UInt32) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 6 - text.utf8.count)) + text
  }
}
