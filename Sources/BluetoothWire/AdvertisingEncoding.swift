/// Builds advertising data: `length u8 · type u8 · data` structures (Core Supplement Part A 1).
public enum AdvertisingEncoding {
  /// Flags, complete list of 16-bit services and complete local name, as a connectable device sends them.
  public static func data(services: [UInt16], name: [UInt8]) -> [UInt8] {
    var writer = ByteWriter([0x02, 0x01, 0x06])
    if !services.isEmpty {
      writer.append([UInt8(clamping: 1 + 2 * services.count), 0x03])
      for service in services { writer.u16(service) }
    }
    if !name.isEmpty {
      writer.append([UInt8(clamping: 1 + name.count), 0x09])
      writer.append(name)
    }
    return writer.octets
  }
}
