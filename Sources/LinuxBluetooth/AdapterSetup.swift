/// Commands that set one adapter up, whose refusal is an error with a way out.
struct AdapterSetup {
  private let control: ControlChannel
  private let facts: AdapterFacts

  init(_ control: ControlChannel, _ facts: AdapterFacts) {
    self.control = control
    self.facts = facts
  }

  func perform(_ command: ManagementCommand, _ loop: inout EventLoop) throws(BluetoothError) {
    let status = try Self.status(of: command, control, adapter: facts.identifier, &loop)
    guard status == .success else { throw .refused(command, status, facts.name) }
  }

  func isPowered(_ loop: inout EventLoop) throws(BluetoothError) -> Bool {
    do throws(ChannelFailure) {
      let information = try AdapterInformation.read(facts.identifier, control, &loop)
      return information?.current.contains(.powered) ?? false
    } catch {
      throw .channel(error, purpose: ManagementCommand.readAdapterInformation.title)
    }
  }

  static func status(
    of command: ManagementCommand,
    _ control: ControlChannel,
    adapter: UInt16,
    _ loop: inout EventLoop
  ) throws(BluetoothError) -> ManagementStatus {
    do throws(ChannelFailure) {
      return try control.perform(command, adapter: adapter, &loop).status
    } catch {
      throw .channel(error, purpose: command.title)
    }
  }
}
