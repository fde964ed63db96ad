import Glibc
public import RecordCollector

/// ATT PDUs over a connected socket that keeps their boundaries (SOCK_SEQPACKET): a meter in another process.
///
/// Its protection is what the creator says; raising it takes effect at once.
public final class PlainBearer: AttributeBearer {
  public let descriptor: Int32
  public private(set) var security: LinkSecurity
  private var isOpen = true

  /// Takes over a descriptor, which it closes at its end.
  public init(descriptor: Int32, security: LinkSecurity = .none) {
    self.descriptor = descriptor
    self.security = security
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  deinit { disconnect() }

  public var receiveLimit: UInt16 { 517 }

  public func send(_ pdu: [UInt8]) throws(ChannelFailure) -> Bool {
    let result = PacketSocket.send(descriptor, pdu)
    if result >= 0 { return true }
    if result == -Int(EAGAIN) { return false }
    throw ChannelFailure.ofLink(Int32(clamping: result))
  }

  /// A local socket makes its sender wait.
  public var droppedPackets: UInt32 { 0 }

  public func raiseSecurity(to level: UInt8) {
    security = LinkSecurity(level: max(level, security.level), keySize: 16)
  }

  public func pendingFailure() -> ChannelFailure? { nil }

  public func disconnect() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
  }
}
