/// The container a capture's records are in, as its first octets tell it.
public enum CaptureFormat: Sendable, Hashable {
  /// btsnoop version 1 (captures.md 1).
  case btsnoop(BtsnoopDatalink)
  /// pcap with one Bluetooth link type; `nanoseconds` and `bigEndian` as its magic says.
  case pcap(HCILinkType, nanoseconds: Bool, bigEndian: Bool)
  /// pcapng, whatever its sections and interfaces.
  case pcapng
  /// Apple PacketLogger.
  case packetLogger(bigEndian: Bool)
  /// The memory ring of older Android versions out of a bug report's text; record version 1 or 2.
  case btsnooz(version: UInt8)
  /// A stream of which nothing has been read yet.
  case undetermined

  /// The format's name for people: `btsnoop, Linux monitor`.
  public var title: String {
    switch self {
    case .btsnoop(let datalink): "btsnoop, " + datalink.title
    case .pcap(let type, nanoseconds: false, _): "pcap, " + type.title
    case .pcap(let type, nanoseconds: true, _): "pcap (nanoseconds), " + type.title
    case .pcapng: "pcapng"
    case .packetLogger: "Apple PacketLogger"
    case .btsnooz: "Android btsnooz"
    case .undetermined: "not read yet"
    }
  }
}

/// The btsnoop datalinks that are read.
public enum BtsnoopDatalink: UInt32, Sendable, CaseIterable {
  /// No packet-type octet; direction and kind come from the flags.
  case unencapsulated = 1001
  /// The H4 packet-type octet comes first.
  case uart = 1002
  /// The flags hold the adapter and the opcode of Linux's monitor channel.
  case monitor = 2001

  /// The datalink's name for people.
  public var title: String {
    switch self {
    case .unencapsulated: "HCI without type octet (H1)"
    case .uart: "HCI UART (H4)"
    case .monitor: "Linux monitor"
    }
  }
}

/// The pcap link types that are read.
public enum HCILinkType: UInt16, Sendable, CaseIterable {
  /// LINKTYPE_BLUETOOTH_HCI_H4: no direction.
  case uart = 187
  /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR: four octets of direction first.
  case uartWithDirection = 201
  /// LINKTYPE_BLUETOOTH_LINUX_MONITOR: adapter and opcode first.
  case monitor = 254

  /// The link type's name for people.
  public var title: String {
    switch self {
    case .uart: "HCI UART (H4)"
    case .uartWithDirection: "HCI UART (H4) with direction"
    case .monitor: "Linux monitor"
    }
  }
}
