/// Builds L2CAP PDUs of LE links (Core Vol 3 Part A 3, 4).
public enum LogicalLinkEncoding {
  /// The fixed channel of ATT.
  public static let attributeChannel: UInt16 = 0x0004
  /// The fixed channel of LE signalling.
  public static let signallingChannel: UInt16 = 0x0005
  /// The fixed channel of the Security Manager.
  public static let securityChannel: UInt16 = 0x0006

  /// `length u16 · channel u16 · payload`.
  public static func frame(channel: UInt16, _ payload: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.u16(UInt16(clamping: payload.count))
    writer.u16(channel)
    writer.append(payload)
    return writer.octets
  }

  /// The payloads of the K-frames of one SDU, at most `maximum` octets each (Core Vol 3 Part A 3.4.3).
  public static func segments(of unit: [UInt8], maximum: Int) -> [[UInt8]] {
    var writer = ByteWriter()
    writer.u16(UInt16(clamping: unit.count))
    writer.append(unit)
    let octets = writer.octets
    let step = max(3, maximum)
    return stride(from: 0, to: octets.count, by: step).map { Array(octets[$0..<min($0 + step, octets.count)]) }
  }

  /// A signalling command: `code u8 · identifier u8 · length u16 · data`, all of its fields 16 bits wide.
  public static func signal(_ code: UInt8, identifier: UInt8, _ fields: [UInt16]) -> [UInt8] {
    var writer = ByteWriter([code, identifier])
    writer.u16(UInt16(clamping: 2 * fields.count))
    for field in fields { writer.u16(field) }
    return writer.octets
  }
}
