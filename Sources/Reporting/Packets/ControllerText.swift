import BluetoothWire

/// Says an HCI command or event in one line (Core Vol 4 Part E 7).
enum ControllerText {
  static func command(_ bytes: RawSpan) -> String {
    guard bytes.byteCount >= 3 else { return "HCI command, cut" }
    let opcode = bytes.u16(at: 0)
    guard let name = commandName(opcode) else { return "HCI command 0x" + hex(UInt64(opcode), digits: 4) }
    switch opcode {
    case 0x0406 where bytes.byteCount >= 6:
      return name + handle(bytes, 3) + ", " + ControllerError(rawValue: bytes.u8(at: 5)).name
    case 0x2013, 0x2019, 0x201A, 0x201B, 0x2020, 0x2021, 0x2022, 0x2032:
      return bytes.byteCount >= 5 ? name + handle(bytes, 3) : name
    case 0x2005 where bytes.byteCount >= 9: return name + " \(DeviceAddress(bytes, at: 3, isRandom: true))"
    case 0x200D where bytes.byteCount >= 15:
      return name + " to \(DeviceAddress(bytes, at: 9, isRandom: bytes.u8(at: 8) == 1))"
    default: return name
    }
  }

  private static func handle(_ bytes: RawSpan, _ at: Int) -> String {
    ", handle 0x" + hex(UInt64(bytes.u16(at: at) & 0x0FFF), digits: 4)
  }

  static func event(_ bytes: RawSpan) -> String {
    guard bytes.byteCount >= 2 else { return "HCI event, cut" }
    let code = bytes.u8(at: 0)
    let count = bytes.byteCount
    switch code {
    case 0x05 where count >= 6:
      return "Disconnection Complete" + handle(bytes, 3) + status(bytes.u8(at: 2))
        + ", " + ControllerError(rawValue: bytes.u8(at: 5)).name
    case 0x08 where count >= 6:
      return "Encryption Change" + handle(bytes, 3) + status(bytes.u8(at: 2))
        + (bytes.u8(at: 5) == 0 ? ", off" : ", on")
    case 0x59 where count >= 7:
      return "Encryption Change" + handle(bytes, 3) + status(bytes.u8(at: 2))
        + (bytes.u8(at: 5) == 0 ? ", off" : ", on, key of \(bytes.u8(at: 6)) octets")
    case 0x30 where count >= 5: return "Encryption Key Refresh Complete" + handle(bytes, 3) + status(bytes.u8(at: 2))
    case 0x0E where count >= 5:
      let opcode = bytes.u16(at: 3)
      let name = commandName(opcode) ?? "command 0x" + hex(UInt64(opcode), digits: 4)
      return "Command Complete: " + name + (count >= 6 ? status(bytes.u8(at: 5)) : "")
    case 0x0F where count >= 6:
      let opcode = bytes.u16(at: 4)
      let name = commandName(opcode) ?? "command 0x" + hex(UInt64(opcode), digits: 4)
      return "Command Status: " + name + status(bytes.u8(at: 2))
    case 0x13:
      var completed = 0
      var at = 3
      while at + 4 <= count {
        completed += Int(bytes.u16(at: at + 2))
        at += 4
      }
      return "Number Of Completed Packets: \(completed)"
    case 0x3E where count >= 3: return lowEnergy(bytes)
    case 0x03: return "Connection Complete (BR/EDR)"
    case 0x10: return "Hardware Error"
    case 0xFF: return "vendor event"
    default: return "HCI event 0x" + hex(UInt64(code), digits: 2)
    }
  }

  private static func status(_ code: UInt8) -> String { code == 0 ? "" : ", " + ControllerError(rawValue: code).name }

  private static func lowEnergy(_ bytes: RawSpan) -> String {
    let count = bytes.byteCount
    let code = bytes.u8(at: 2)
    switch code {
    case 0x01 where count >= 14, 0x0A where count >= 14, 0x29 where count >= 14:
      guard bytes.u8(at: 3) == 0 else { return "LE Connection Complete" + status(bytes.u8(at: 3)) }
      let peer = DeviceAddress(bytes, at: 8, isRandom: bytes.u8(at: 7) & 1 == 1)
      return "LE Connection Complete" + handle(bytes, 4)
        + (bytes.u8(at: 6) == 0 ? ", central, peer " : ", peripheral, peer ")
        + "\(peer) (\(peer.kind.rawValue))"
    case 0x02 where count >= 12, 0x0D where count >= 13:
      let at = code == 0x02 ? 6 : 7
      let type = bytes.u8(at: at - 1)
      return "LE Advertising Report \(DeviceAddress(bytes, at: at, isRandom: type & 1 == 1))"
    case 0x03 where count >= 12:
      let interval = Int(bytes.u16(at: 6)) * 125
      return "LE Connection Update Complete" + handle(bytes, 4) + status(bytes.u8(at: 3))
        + ", interval \(interval / 100).\(interval % 100 < 10 ? "0" : "")\(interval % 100) ms, latency \(bytes.u16(at: 8)), "
        + "timeout \(Int(bytes.u16(at: 10)) * 10) ms"
    case 0x04 where count >= 6: return "LE Read Remote Features Complete" + handle(bytes, 4) + status(bytes.u8(at: 3))
    case 0x05 where count >= 5: return "LE Long Term Key Request" + handle(bytes, 3)
    case 0x06 where count >= 5: return "LE Remote Connection Parameter Request" + handle(bytes, 3)
    case 0x07 where count >= 13:
      return "LE Data Length Change" + handle(bytes, 3)
        + ", \(bytes.u16(at: 5)) octets sent, \(bytes.u16(at: 9)) received"
    case 0x0C where count >= 8:
      return "LE PHY Update Complete" + handle(bytes, 4) + status(bytes.u8(at: 3))
        + ", TX \(bytes.u8(at: 6)), RX \(bytes.u8(at: 7))"
    case 0x12: return "LE Advertising Set Terminated"
    case 0x14: return "LE Channel Selection Algorithm"
    default: return "HCI event 0x3E subevent 0x" + hex(UInt64(code), digits: 2)
    }
  }

  private static func commandName(_ opcode: UInt16) -> String? {
    switch opcode {
    case 0x0406: "Disconnect"
    case 0x0C03: "Reset"
    case 0x0C01: "Set Event Mask"
    case 0x1009: "Read BD_ADDR"
    case 0x041D: "Read Remote Version Information"
    case 0x2001: "LE Set Event Mask"
    case 0x2005: "LE Set Random Address"
    case 0x2006: "LE Set Advertising Parameters"
    case 0x2008: "LE Set Advertising Data"
    case 0x200A: "LE Set Advertising Enable"
    case 0x200B: "LE Set Scan Parameters"
    case 0x200C: "LE Set Scan Enable"
    case 0x200D: "LE Create Connection"
    case 0x200E: "LE Create Connection Cancel"
    case 0x2011: "LE Add Device To Filter Accept List"
    case 0x2012: "LE Remove Device From Filter Accept List"
    case 0x2013: "LE Connection Update"
    case 0x2016: "LE Read Remote Features"
    case 0x2017: "LE Encrypt"
    case 0x2018: "LE Rand"
    case 0x2019: "LE Enable Encryption"
    case 0x201A: "LE Long Term Key Request Reply"
    case 0x201B: "LE Long Term Key Request Negative Reply"
    case 0x2020: "LE Remote Connection Parameter Request Reply"
    case 0x2021: "LE Remote Connection Parameter Request Negative Reply"
    case 0x2022: "LE Set Data Length"
    case 0x2027: "LE Add Device To Resolving List"
    case 0x2028: "LE Remove Device From Resolving List"
    case 0x2029: "LE Clear Resolving List"
    case 0x202D: "LE Set Address Resolution Enable"
    case 0x2032: "LE Set PHY"
    case 0x2041: "LE Set Extended Scan Parameters"
    case 0x2042: "LE Set Extended Scan Enable"
    case 0x2043: "LE Extended Create Connection"
    default: nil
    }
  }
}
