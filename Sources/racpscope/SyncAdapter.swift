import LinuxBluetooth

/// Opens the control channel and makes an adapter ready.
enum SyncAdapter {
  static func open(
    _ wanted: String?,
    bonds: [Bond]?,
    capability: InputOutputCapability,
    purpose: String,
    _ loop: inout EventLoop
  ) throws(BluetoothError) -> (ControlChannel, PreparedAdapter) {
    let control: ControlChannel
    let adapters: [AdapterFacts]
    do throws(ChannelFailure) {
      control = try ControlChannel()
      adapters = try AdapterFacts.all(&loop)
    } catch {
      throw .channel(error, purpose: purpose)
    }
    let facts = try PreparedAdapter.choose(wanted, among: adapters)
    let adapter = try PreparedAdapter(
      facts,
      isOnly: adapters.count == 1,
      control,
      bonds: bonds,
      capability: capability,
      purpose: purpose,
      &loop
    )
    return (control, adapter)
  }
}
