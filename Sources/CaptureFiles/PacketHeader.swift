/// What a format puts before a packet to say its kind: the inverse of what the readers take off.
struct PacketHeader {
  /// btsnoop's flags; 0 elsewhere.
  var flags: UInt32 = 0
  /// Type octet, pseudo-header or both.
  var octets: [UInt8] = []

  /// Nil where the format cannot carry the kind.
  init?(_ format: WritableFormat, _ kind: FrameKind, adapter: UInt16) {
    switch format {
    case .btsnoop(.unencapsulated):
      guard [.command, .event, .aclSent, .aclReceived].contains(kind) else { return nil }
      flags = Self.flags(kind)
    case .btsnoop(.uart):
      guard let type = Self.h4(kind) else { return nil }
      flags = Self.flags(kind)
      octets = [type]
    case .btsnoop(.monitor):
      guard let opcode = Self.monitor(kind) else { return nil }
      flags = UInt32(adapter) << 16 | UInt32(opcode)
    case .pcap(.uart, _, _):
      guard let type = Self.h4(kind) else { return nil }
      octets = [type]
    case .pcap(.uartWithDirection, _, _), .pcapng:
      guard kind != .aclUndirected, let type = Self.h4(kind) else { return nil }
      octets = [0, 0, 0, UInt8(Self.flags(kind) & 1), type]
    case .pcap(.monitor, _, _):
      guard let opcode = Self.monitor(kind) else { return nil }
      octets = [adapter >> 8, adapter & 0xFF, opcode >> 8, opcode & 0xFF].map { UInt8(truncatingIfNeeded: $0) }
    case .packetLogger:
      guard let type = Self.packetLogger(kind) else { return nil }
      octets = [type]
    }
  }

  /// Bit 0 received, bit 1 command or event.
  private static func flags(_ kind: FrameKind) -> UInt32 {
    switch kind {
    case .command: 2
    case .event: 3
    case .aclReceived, .scoReceived, .isoReceived: 1
    default: 0
    }
  }

  private static func h4(_ kind: FrameKind) -> UInt8? {
    switch kind {
    case .command: 0x01
    case .aclSent, .aclReceived, .aclUndirected: 0x02
    case .scoSent, .scoReceived: 0x03
    case .event: 0x04
    case .isoSent, .isoReceived: 0x05
    default: nil
    }
  }

  private static func monitor(_ kind: FrameKind) -> UInt16? {
    switch kind {
    case .adapterAdded: 0
    case .adapterRemoved: 1
    case .command: 2
    case .event: 3
    case .aclSent: 4
    case .aclReceived: 5
    case .scoSent: 6
    case .scoReceived: 7
    case .adapterOpened: 8
    case .adapterClosed: 9
    case .adapterInformation: 10
    case .other: 11
    case .text: 12
    case .isoSent: 18
    case .isoReceived: 19
    case .aclUndirected: nil
    }
  }

  private static func packetLogger(_ kind: FrameKind) -> UInt8? {
    switch kind {
    case .command: 0x00
    case .event: 0x01
    case .aclSent: 0x02
    case .aclReceived: 0x03
    case .scoSent: 0x08
    case .scoReceived: 0x09
    case .isoSent: 0x12
    case .isoReceived: 0x13
    case .text: 0xFC
    default: nil
    }
  }
}
