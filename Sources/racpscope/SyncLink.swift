import BluetoothWire
import LinuxBluetooth
import RecordCollector
import RecordStore
import Reporting

/// Makes links to one meter and runs a collector over each.
struct SyncLink {
  private let control: ControlChannel
  private let adapter: PreparedAdapter
  private let settings: SyncSettings
  private var agent: PairingAgent
  /// The store holds a bond with the meter.
  var hasBond = false
  /// The bond in the store is one that a repair has given up.
  var isBondForgotten = false

  /// The kernel gives up by itself after about 41 s.
  private static let connectTime: UInt64 = 60_000_000_000
  /// The kernel ends a link without users after 2 s.
  private static let endTime: UInt64 = 3_000_000_000
  /// The kernel's own limit for pairing.
  private static let pairingTime: UInt64 = 35_000_000_000

  init(_ control: ControlChannel, _ adapter: PreparedAdapter, _ settings: SyncSettings, _ bonds: SyncBonds) {
    self.control = control
    self.adapter = adapter
    self.settings = settings
    agent = PairingAgent(
      control,
      adapter: adapter.identifier,
      peer: settings.address,
      answers: !adapter.daemonRuns && adapter.isManaged,
      passkey: Prompt(settings.passkey),
      bonds: bonds,
      say: { Complaint.write(sentence: $0) }
    )
  }

  var isAdapterGone: Bool { agent.adapterIsGone }
  var keepingFailure: String? { agent.keepingFailure }

  /// Makes a link of our own.
  ///
  /// A link that a killed program left is up for two seconds more, with its procedure still running on it: no new one may
  /// be started there (GLP 4.7.5.1). It is ended first, once it is certain that nobody uses it.
  mutating func connect(to meter: DeviceAddress, _ loop: inout EventLoop) throws(BluetoothError) -> AttributeChannel {
    let isLeftOver =
      adapter.isManaged && !adapter.daemonRuns
      && AdapterConnections.read(adapter.identifier, control, &loop).peers.contains(meter)
    let channel = try makeLink(to: meter, &loop)
    guard isLeftOver else { return channel }
    channel.disconnect()
    endLink(to: meter, &loop)
    let deadline = MonotonicClock.now() + Self.endTime
    while agent.disconnection == nil, !agent.adapterIsGone, !loop.isStopped, MonotonicClock.now() < deadline {
      agent.serve(loop.wait(agent.interests, until: deadline))
    }
    return try makeLink(to: meter, &loop)
  }

  private mutating func makeLink(to meter: DeviceAddress, _ loop: inout EventLoop) throws(BluetoothError)
    -> AttributeChannel
  {
    agent.beginLink(to: meter)
    do throws(ChannelFailure) {
      return try AttributeChannel.connect(
        to: meter,
        from: adapter.sourceAddress,
        timeout: Self.connectTime,
        &loop
      )
    } catch {
      if error != .stopped && error != .notInRange { agent.awaitReasons() }
      if agent.adapterIsGone { throw .adapterGone }
      if agent.hasFailedSecurity { throw refusal(of: meter) }
      throw .connection(error, to: meter, daemonRuns: adapter.daemonRuns)
    }
  }

  /// The meter and the kernel did not come to terms before the collector had its turn.
  private func refusal(of meter: DeviceAddress) -> BluetoothError {
    if hasBond && !isBondForgotten {
      return .bondLost(meter: meter, daemonRuns: adapter.daemonRuns, store: settings.store)
    }
    return .pairing(
      agent.failure ?? .other("refused"),
      meter: meter,
      daemonRuns: adapter.daemonRuns,
      canEnterPasskey: settings.passkey != .nobody,
      gavePasskey: agent.hasGivenPasskey,
      store: settings.store
    )
  }

  /// Pairs with a meter that hides behind a resolvable address, and waits for its identity.
  mutating func identity(behind channel: AttributeChannel, _ loop: inout EventLoop) throws(BluetoothError)
    -> DeviceAddress
  {
    let alias = agent.peer
    do throws(ChannelFailure) {
      try channel.raiseSecurity(to: 2)
      let deadline = MonotonicClock.now() + Self.pairingTime
      while agent.peer == alias, MonotonicClock.now() < deadline, !loop.isStopped {
        agent.serve(loop.wait(agent.interests, until: MonotonicClock.now() + 50_000_000))
        if let failure = channel.pendingFailure() { throw failure }
        if let peer = channel.peer, peer.kind != .resolvablePrivate, channel.security.isEncrypted { return peer }
      }
    } catch {
      agent.look()
      throw .pairing(
        agent.failure ?? .other("the link ended"),
        meter: alias,
        daemonRuns: adapter.daemonRuns,
        store: settings.store
      )
    }
    if loop.isStopped { throw BluetoothError(.stopped, "Stopped.") }
    guard agent.peer != alias else {
      throw BluetoothError(
        .pairing,
        "The meter \(alias) changes its address and did not tell its identity.",
        hint: "Its records cannot be told from another meter's; scan for an address that stays the same."
      )
    }
    return agent.peer
  }

  /// Runs a collector to its end and ends the link.
  mutating func run(
    _ channel: AttributeChannel,
    _ meter: DeviceAddress,
    _ store: RecordStore,
    _ progress: inout SyncProgress,
    _ loop: inout EventLoop
  ) throws -> SyncRun {
    // Paired with for its identity, before the collector's turn: the handles are those of an earlier bond.
    if agent.hasNewBond { try store.remember(attributes: nil, of: meter) }
    var driver = try CollectorDriver(
      channel,
      meter: meter,
      plan: settings.plan,
      store: store,
      observer: progress,
      agent: agent,
      isBonded: isBonded(meter),
      confirmation: Prompt(settings.isConfirmed ? .given("delete") : SyncTerminal.source)
    )
    let run = driver.run(&loop)
    progress = driver.observer
    agent = driver.agent ?? agent
    agent.settle(&loop)
    if agent.hasNewBond {
      hasBond = true
      isBondForgotten = false
    }
    channel.disconnect()
    endLink(to: meter, &loop)
    return run
  }

  /// What the store does not know of a bond; nil where it is right.
  private func isBonded(_ meter: DeviceAddress) -> Bool? {
    if isBondForgotten { return false }
    guard adapter.daemonRuns else { return nil }
    return BluetoothDaemon.holdsBond(adapter: adapter.address, peer: meter)
  }

  /// The kernel keeps a link for two seconds after its last socket: the meter should be free, and a new procedure
  /// after a failed one needs a new link (GLP 4.7.5.1).
  private mutating func endLink(to meter: DeviceAddress, _ loop: inout EventLoop) {
    guard adapter.isManaged, agent.disconnection == nil, !agent.adapterIsGone else { return }
    _ = try? control.perform(.disconnect(meter), adapter: adapter.identifier, &loop)
    agent.look()
  }

  /// What the user can do about an outcome; nil where it needs nothing.
  func advice(on outcome: SyncOutcome, _ meter: DeviceAddress) -> BluetoothError? {
    switch outcome {
    case .pairingFailed(let failure):
      return .pairing(
        failure,
        meter: meter,
        daemonRuns: adapter.daemonRuns,
        canEnterPasskey: settings.passkey != .nobody,
        gavePasskey: agent.hasGivenPasskey,
        store: settings.store
      )
    case .bondLost: return .bondLost(meter: meter, daemonRuns: adapter.daemonRuns, store: settings.store)
    case .synced, .nothingNew, .aborted: return nil
    default: return outcome.hint.isEmpty ? nil : BluetoothError(.link, outcome.sentence, hint: outcome.hint)
    }
  }
}
