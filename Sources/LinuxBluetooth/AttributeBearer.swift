import Glibc
public import RecordCollector

/// What carries ATT PDUs to one meter and back: the kernel's attribute channel, or a socket pair in a test.
public protocol AttributeBearer {
  /// To be waited on.
  var descriptor: Int32 { get }
  /// The largest PDU it can receive.
  var receiveLimit: UInt16 { get }
  /// How the link is protected at this moment.
  var security: LinkSecurity { get }

  /// How many PDUs were dropped because nobody read them in time.
  var droppedPackets: UInt32 { get }

  /// Sends one PDU; false where it must be tried again once the descriptor is writable.
  func send(_ pdu: [UInt8]) throws(ChannelFailure) -> Bool

  /// Reads one PDU into the buffer; its length, nil where none waits.
  func receive(into buffer: inout [UInt8]) throws(ChannelFailure) -> Int?

  /// Begins to encrypt or pair; `security` tells when it is done, an error of the descriptor that it failed.
  func raiseSecurity(to level: UInt8) throws(ChannelFailure)

  /// The error that waits on the descriptor; nil for none.
  func pendingFailure() -> ChannelFailure?

  /// Ends the link.
  func disconnect()
}

extension AttributeBearer {
  public func receive(into buffer: inout [UInt8]) throws(ChannelFailure) -> Int? {
    let count = PacketSocket.receive(descriptor, &buffer)
    if count > 0 { return count }
    if count == 0 { throw .peerEnded }
    if count == -Int(EAGAIN) { return nil }
    throw ChannelFailure.ofLink(Int32(clamping: count))
  }
}
