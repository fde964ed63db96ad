public import BluetoothWire
import CBluetooth
import Glibc
public import RecordCollector

/// The attribute channel of one Low Energy link: an L2CAP socket on CID 4 of the kernel's own host stack.
///
/// Pairing and encryption are the kernel's: the socket connects with the level low, and is raised when the collector
/// asks for it. Setting a level before the connection makes the kernel give up meters without encryption, and crashes
/// two released kernels when a key is stale.
public final class AttributeChannel: AttributeBearer {
  public let descriptor: Int32
  private var isOpen = true

  /// A small PDU takes about a kilobyte of it, and what finds no room is dropped without a word.
  private static let waitingOctets: Int32 = 8 << 20

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { disconnect() }

  /// Connects, waiting for a peer that advertises late; the kernel gives up after about 41 s.
  ///
  /// - Parameters:
  ///   - adapter: the adapter's public address; nil where there is only one adapter.
  ///   - timeout: nanoseconds.
  /// - Throws: `.stopped` where the user asked to stop meanwhile.
  public static func connect(
    to peer: DeviceAddress,
    from adapter: DeviceAddress?,
    timeout: UInt64,
    _ loop: inout EventLoop
  ) throws(ChannelFailure) -> AttributeChannel {
    let local = adapter?.octets ?? [UInt8](repeating: 0, count: 6)
    let opened = unsafe local.withUnsafeBufferPointer { octets -> Int32 in
      guard let start = octets.baseAddress else { return -EINVAL }
      return unsafe bluetooth_open_attribute_channel(start)
    }
    guard opened >= 0 else { throw ChannelFailure.ofLink(opened) }
    let channel = AttributeChannel(descriptor: opened)
    bluetooth_enlarge_receive_buffer(opened, waitingOctets)
    let begun = unsafe peer.octets.withUnsafeBufferPointer { octets -> Int32 in
      guard let start = octets.baseAddress else { return -EINVAL }
      return unsafe bluetooth_connect_attribute_channel(opened, start, peer.isRandom ? 1 : 0)
    }
    if begun < 0 && begun != -EINPROGRESS && begun != -EAGAIN { throw ChannelFailure.ofLink(begun) }
    let deadline = MonotonicClock.now() + timeout
    while !loop.wait([EventLoop.Interest(opened, writing: true)], until: deadline)[0] {
      if loop.isStopped { throw .stopped }
      if MonotonicClock.now() >= deadline { throw .notInRange }
    }
    let error = bluetooth_take_error(opened)
    guard error == 0 else {
      let failure = ChannelFailure.ofLink(error)
      // The link came up and was given up again: two released kernels kill the process that closes such a socket.
      if failure == .abandoned || failure == .securityRefused { channel.isOpen = false }
      throw failure
    }
    return channel
  }

  /// The largest attribute there is, and the header of its response.
  public var receiveLimit: UInt16 { 517 }

  public var security: LinkSecurity {
    var level: UInt8 = 0
    var keySize: UInt8 = 0
    guard unsafe bluetooth_read_security(descriptor, &level, &keySize) == 0 else { return .none }
    return LinkSecurity(level: max(1, level), keySize: keySize)
  }

  /// The address the kernel knows the peer by now: its identity once that was told.
  public var peer: DeviceAddress? {
    var octets = [UInt8](repeating: 0, count: 6)
    var isRandom: Int32 = 0
    let result = unsafe octets.withUnsafeMutableBufferPointer { room -> Int32 in
      guard let start = room.baseAddress else { return -EINVAL }
      return unsafe bluetooth_read_peer(descriptor, start, &isRandom)
    }
    guard result == 0 else { return nil }
    return DeviceAddress(value: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }, isRandom: isRandom != 0)
  }

  public func send(_ pdu: [UInt8]) throws(ChannelFailure) -> Bool {
    let result = PacketSocket.send(descriptor, pdu)
    if result >= 0 { return true }
    if result == -Int(EAGAIN) { return false }
    // While pairing runs the channel does not count as connected; a real end shows as an error of the descriptor.
    if result == -Int(ENOTCONN), pendingFailure() == nil { return false }
    throw ChannelFailure.ofLink(Int32(clamping: result))
  }

  public var droppedPackets: UInt32 { bluetooth_lost_datagrams(descriptor) }

  public func raiseSecurity(to level: UInt8) throws(ChannelFailure) {
    guard !Self.isEnough(security, level) else { return }
    let result = bluetooth_raise_security(descriptor, level)
    // The kernel refuses to raise what is high enough.
    if result == 0 || (result == -EINVAL && Self.isEnough(security, level)) { return }
    throw ChannelFailure.ofLink(result)
  }

  private static func isEnough(_ security: LinkSecurity, _ level: UInt8) -> Bool {
    security.isEncrypted && security.level >= level
  }

  public func pendingFailure() -> ChannelFailure? {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0, state.revents != 0 else { return nil }
    return ChannelFailure.ofLink(bluetooth_take_error(descriptor))
  }

  public func disconnect() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
  }
}
