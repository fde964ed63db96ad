/// What the link types of pcap and pcapng that are not read are, and what to do instead (captures.md 2).
enum LinkTypeRefusal {
  static func refusal(_ number: UInt16, container: String) -> Refusal {
    let host = "Capture HCI on the host, with btmon -w or the phone's HCI snoop log."
    let radio = "which is not supported yet"
    switch number {
    case 251: return Refusal(what: "a radio capture (\(container), Bluetooth LE link layer), \(radio)", hint: host)
    case 256:
      return Refusal(what: "a radio capture (\(container), Bluetooth LE link layer with header), \(radio)", hint: host)
    case 272: return Refusal(what: "a radio capture (\(container), Nordic sniffer), \(radio)", hint: host)
    case 157: return Refusal(what: "a radio capture (\(container), older Nordic sniffer), \(radio)", hint: host)
    case 192: return Refusal(what: "a radio capture (\(container), PPI as Ubertooth writes it), \(radio)", hint: host)
    case 255: return Refusal(what: "a radio capture (\(container), BR/EDR baseband), \(radio)", hint: host)
    case 189, 220:
      return Refusal(what: "a USB capture (\(container), usbmon)", hint: host)
    case 249:
      return Refusal(what: "a USB capture (\(container), USBPcap)", hint: host)
    case 1: return Refusal(what: "an Ethernet capture (\(container))", hint: host)
    case 161:
      return Refusal(what: "a \(container) file of private link type 161, which is not Bluetooth", hint: host)
    default:
      return Refusal(what: "a \(container) file of link type \(number), which is not Bluetooth HCI", hint: host)
    }
  }
}

extension Refusal {
  /// The refusal as the error of an input.
  func error(_ name: String) -> CaptureError { CaptureError(.refused, "\(name) is \(what).", hint: hint) }
}
