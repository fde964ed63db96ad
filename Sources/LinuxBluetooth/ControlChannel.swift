import CBluetooth
import Glibc

/// The control channel: the kernel's Bluetooth management interface.
///
/// Reading facts needs no privilege; changing settings, pairing events and keys need CAP_NET_ADMIN.
public final class ControlChannel {
  public let descriptor: Int32
  /// Events that came while the answer to a command was awaited.
  private var waiting: [(adapter: UInt16, event: ManagementEvent)] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536 + 16)

  /// The kernel answers at once; powering a USB adapter takes a second or two.
  private static let answerTime: UInt64 = .seconds(10)

  public init() throws(ChannelFailure) {
    let opened = bluetooth_open_hci(BLUETOOTH_CHANNEL_CONTROL)
    guard opened >= 0 else { throw ChannelFailure.ofController(opened) }
    descriptor = opened
  }

  /// A channel over a descriptor that is open already, which it closes at its end.
  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Sends a command without waiting for its answer.
  public func send(_ command: ManagementCommand, adapter: UInt16) throws(ChannelFailure) {
    let octets = command.packet(adapter: adapter).octets
    while true {
      let count = unsafe octets.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return }
      if errno != EINTR { throw ChannelFailure.ofController(errno) }
    }
  }

  /// Sends a command and waits for its answer; events that come first are kept for `next`.
  ///
  /// - Returns: the status and the parameters of the answer.
  public func perform(
    _ command: ManagementCommand,
    adapter: UInt16,
    _ loop: inout EventLoop
  ) throws(ChannelFailure) -> (status: ManagementStatus, parameters: [UInt8]) {
    try send(command, adapter: adapter)
    let deadline = MonotonicClock.now() + Self.answerTime
    while MonotonicClock.now() < deadline {
      _ = loop.wait([EventLoop.Interest(descriptor)], until: deadline)
      while let packet = try receive() {
        let event = ManagementEvent(packet)
        if case .answer(command.code, let status, let parameters) = event { return (status, parameters) }
        waiting.append((packet.adapter, event))
      }
    }
    throw .noAnswer
  }

  /// The next event that waits; nil where none does.
  public func next() throws(ChannelFailure) -> (adapter: UInt16, event: ManagementEvent)? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    return try receive().map { ($0.adapter, ManagementEvent($0)) }
  }

  /// True where `next` has something without a look at the descriptor.
  public var hasWaitingEvent: Bool { !waiting.isEmpty }

  private func receive() throws(ChannelFailure) -> ManagementPacket? {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        if let packet = ManagementPacket(octets: Array(buffer[..<count])) { return packet }
        continue
      }
      if count == 0 { throw .adapterDown }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw ChannelFailure.ofController(errno)
      }
    }
  }
}
