/// One credit-based channel of a link; an ATT bearer where its SPSM is 0x0027 (Core Vol 3 Part F 3.2.11).
struct EnhancedChannel: Sendable {
  /// The channel identifier in PDUs the local host receives, and in those it sends; 0 until it is known.
  var receiveCID: UInt16
  var sendCID: UInt16
  var spsm: UInt16
  /// The bearer's number where it carries ATT, else 0.
  var bearer: UInt8
  var received = Segments()
  var sent = Segments()

  /// The SDU being put together from K-frames (Core Vol 3 Part A 3.4.3).
  struct Segments: Sendable {
    var expected = 0
    var buffer: [UInt8] = []
  }
}

/// A request for credit-based channels that waits for its response.
struct ChannelRequest: Sendable {
  var identifier: UInt8
  var isReceived: Bool
  var spsm: UInt16
  var sourceCIDs: [UInt16]
}
