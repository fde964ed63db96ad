/// The captures that can be written.
public enum WritableFormat: Sendable, Hashable {
  /// btsnoop version 1.
  case btsnoop(BtsnoopDatalink)
  /// pcap of one link type.
  case pcap(HCILinkType, nanoseconds: Bool = false, bigEndian: Bool = false)
  /// pcapng: one section, one interface of link type 201, enhanced packet blocks, microseconds.
  case pcapng
  /// Apple PacketLogger.
  case packetLogger(bigEndian: Bool = true)
}
