public import BluetoothWire

/// The answer to Get Connections of the management interface: the peers an adapter has links with.
public struct AdapterConnections: Sendable, Equatable {
  /// Low Energy peers only.
  public var peers: [DeviceAddress] = []

  /// Reads `count u16 · count times address[6] and type u8`, as far as it goes.
  init(octets: [UInt8]) {
    guard let fields = ManagementFields(octets, atLeast: 2) else { return }
    for place in 0..<min(Int(fields.u16(0)), (octets.count - 2) / 7) {
      if let peer = fields.address(2 + 7 * place) { peers.append(peer) }
    }
  }

  /// Asks the kernel; none where it does not say.
  public static func read(
    _ adapter: UInt16,
    _ control: ControlChannel,
    _ loop: inout EventLoop
  ) -> AdapterConnections {
    let answer = try? control.perform(.readConnections, adapter: adapter, &loop)
    guard let answer, answer.status == .success else { return AdapterConnections(octets: []) }
    return AdapterConnections(octets: answer.parameters)
  }
}
