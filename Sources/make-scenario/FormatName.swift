import CaptureFiles

/// The formats by the names the command line has for them.
enum FormatName: String, CaseIterable {
  case monitor
  case uart
  case h1
  case pcap187
  case pcap201
  case pcap254
  case pcapng
  case packetLogger = "pklg"
  case littleEndianPacketLogger = "pklg-le"

  var format: WritableFormat {
    switch self {
    case .monitor: .btsnoop(.monitor)
    case .uart: .btsnoop(.uart)
    case .h1: .btsnoop(.unencapsulated)
    case .pcap187: .pcap(.uart)
    case .pcap201: .pcap(.uartWithDirection)
    case .pcap254: .pcap(.monitor)
    case .pcapng: .pcapng
    case .packetLogger: .packetLogger()
    case .littleEndianPacketLogger: .packetLogger(bigEndian: false)
    }
  }
}
