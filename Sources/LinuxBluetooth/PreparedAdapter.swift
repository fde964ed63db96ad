public import BluetoothWire

/// An adapter that is powered and set up for Low Energy: by bluetoothd where it runs, else by us.
public struct PreparedAdapter: Sendable {
  public let identifier: UInt16
  /// `hci0`.
  public let name: String
  public let address: DeviceAddress
  /// Nil where the machine has only one adapter, so that the kernel need not choose.
  public let sourceAddress: DeviceAddress?
  /// True where bluetoothd runs: settings, pairing and keys are its business.
  public let daemonRuns: Bool
  /// False for a user who may use the adapter but not manage it.
  public let isManaged: Bool

  /// Chooses an adapter: `hci1`, or the first with Low Energy that is powered, else the first that has it.
  public static func choose(_ wanted: String?, among adapters: [AdapterFacts]) throws(BluetoothError) -> AdapterFacts {
    guard !adapters.isEmpty else { throw .noAdapter }
    if let wanted {
      guard let named = adapters.first(where: { $0.name == wanted }) else {
        throw .noSuchAdapter(wanted, adapters.map(\.name))
      }
      if let information = named.information, !information.supported.contains(.lowEnergy) {
        throw .noLowEnergy(named.name)
      }
      return named
    }
    let able = adapters.filter { $0.information?.supported.contains(.lowEnergy) ?? true }
    guard let first = able.first(where: { $0.information?.current.contains(.powered) ?? false }) ?? able.first else {
      throw .noLowEnergy(adapters[0].name)
    }
    return first
  }

  /// Makes the adapter ready.
  ///
  /// Without bluetoothd it is powered on, made bondable and given the bonds: nothing else on the machine holds keys
  /// then. Settings that are right already are left alone; what is set outlives the program. A link must not be tried
  /// before the adapter counts as powered: the kernel may still be about to switch it off.
  ///
  /// - Parameters:
  ///   - bonds: the keys to load; nil where no link is to be made.
  ///   - purpose: what it is for, for messages: `scan`.
  public init(
    _ facts: AdapterFacts,
    isOnly: Bool,
    _ control: ControlChannel,
    bonds: [Bond]?,
    capability: InputOutputCapability,
    purpose: String,
    _ loop: inout EventLoop
  ) throws(BluetoothError) {
    identifier = facts.identifier
    name = facts.name
    address = facts.address
    sourceAddress = isOnly || facts.address.value == 0 ? nil : facts.address
    daemonRuns = BluetoothDaemon.isRunning
    let current = facts.information?.current ?? []
    let supported = facts.information?.supported ?? []
    if daemonRuns {
      guard current.contains(.powered) else { throw .poweredOff(facts.name) }
      isManaged = Self.mayManage
      return
    }
    guard Self.mayManage else {
      // Everything may have been set up by somebody else; pairing and keys are out of reach.
      guard current.contains([.powered, .lowEnergy]) else { throw .missingPermission(purpose) }
      isManaged = false
      return
    }
    isManaged = true
    let setup = AdapterSetup(control, facts)
    if !current.contains(.lowEnergy) { try setup.perform(.setLowEnergy(true), &loop) }
    if let bonds {
      if !current.contains(.bondable) { try setup.perform(.setBondable(true), &loop) }
      // On a dual-mode adapter Secure Connections is refused before Simple Pairing, and legacy pairing follows silently.
      if supported.contains(.simplePairing) && !current.contains(.simplePairing) {
        try setup.perform(.setSimplePairing(true), &loop)
      }
      if supported.contains(.secureConnections) && !current.contains(.secureConnections) {
        try setup.perform(.setSecureConnections(true), &loop)
      }
      try setup.perform(.setInputOutputCapability(capability), &loop)
      try setup.perform(.loadIdentityKeys(bonds.compactMap(\.identityKey)), &loop)
      try setup.perform(.loadLongTermKeys(bonds.flatMap(\.longTermKeys)), &loop)
    }
    if !current.contains(.powered) { try setup.perform(.setPowered(true), &loop) }
    guard try setup.isPowered(&loop) else { throw .poweredOff(facts.name) }
  }

  /// Whether the process has CAP_NET_ADMIN, without which the management interface only tells.
  private static var mayManage: Bool { Capabilities.hasNetworkAdministration }

  /// Makes the kernel forget a bond and end the link that uses it.
  public func forget(
    _ peer: DeviceAddress,
    _ control: ControlChannel,
    _ loop: inout EventLoop
  ) throws(BluetoothError) {
    let command = ManagementCommand.unpair(peer, disconnects: true)
    let status = try AdapterSetup.status(of: command, control, adapter: identifier, &loop)
    // The kernel need not know of it: a bond may have been only in the store.
    guard [.success, .notPaired, .notConnected].contains(status) else { throw .refused(command, status, name) }
  }
}
