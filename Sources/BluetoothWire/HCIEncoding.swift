/// Builds HCI packets without their packet-type octet (Core Vol 4 Part E 5.4).
public enum HCIEncoding {
  /// `op code u16 · length u8 · parameters`; parameters beyond 255 octets are left off.
  public static func command(_ opCode: UInt16, _ parameters: [UInt8] = []) -> [UInt8] {
    var writer = ByteWriter()
    writer.u16(opCode)
    writer.u8(UInt8(clamping: parameters.count))
    writer.append(Array(parameters.prefix(255)))
    return writer.octets
  }

  /// `code u8 · length u8 · parameters`; parameters beyond 255 octets are left off.
  public static func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [code, UInt8(clamping: parameters.count)] + parameters.prefix(255)
  }

  /// An LE meta event: code 0x3E, the subevent first.
  public static func lowEnergyEvent(_ subevent: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    event(0x3E, [subevent] + parameters)
  }

  /// Command Complete with its return parameters, the status first (Core Vol 4 Part E 7.7.14).
  public static func commandComplete(_ opCode: UInt16, _ returned: [UInt8] = [0x00]) -> [UInt8] {
    event(0x0E, [0x01, UInt8(truncatingIfNeeded: opCode), UInt8(truncatingIfNeeded: opCode >> 8)] + returned)
  }

  /// Command Status (Core Vol 4 Part E 7.7.15).
  public static func commandStatus(_ opCode: UInt16, status: UInt8 = 0) -> [UInt8] {
    event(0x0F, [status, 0x01, UInt8(truncatingIfNeeded: opCode), UInt8(truncatingIfNeeded: opCode >> 8)])
  }

  /// Number Of Completed Packets of one link (Core Vol 4 Part E 7.7.19).
  public static func completedPackets(handle: UInt16, count: UInt16) -> [UInt8] {
    var writer = ByteWriter([0x01])
    writer.u16(handle)
    writer.u16(count)
    return event(0x13, writer.octets)
  }

  /// Which part of an L2CAP PDU an ACL packet holds (Core Vol 4 Part E 5.4.2).
  public enum PacketBoundary: UInt8, Sendable {
    /// A start the host sends.
    case firstFromHost = 0b00
    case continuation = 0b01
    /// A start the controller delivers.
    case firstFromController = 0b10
  }

  /// `handle and flags u16 · length u16 · data`.
  public static func acl(handle: UInt16, boundary: PacketBoundary, _ data: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.u16(handle & 0x0FFF | UInt16(boundary.rawValue) << 12)
    writer.u16(UInt16(clamping: data.count))
    writer.append(data)
    return writer.octets
  }
}
