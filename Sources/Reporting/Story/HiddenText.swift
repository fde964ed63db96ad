import BluetoothWire
import LinkTrace

/// Why nothing can be said of what is not seen, in words.
enum HiddenText {
  static func of(_ hidden: HiddenTraffic) -> String {
    switch hidden {
    case .emptiedPackets: "not known: the logger cut the attribute packets"
    case .onlySent: "not known: only what this host sent is in the capture"
    case .onlyReceived: "not known: only what this host received is in the capture"
    case .namelessPackets(let count):
      "not known: the logger cut the handles and values of \(countText(count, "attribute packet"))"
    case .unnamedRequest(let handle, let frame):
      "not known: #\(frame) writes what may be a request to 0x\(hex(UInt64(handle), digits: 4)), which nothing names"
    case .unnamedValues(let count):
      "not known: the logger cut what names the handles, of which \(countText(count, "value")) came"
    }
  }
}
