import BluetoothWire

/// One packet of the kernel's Bluetooth management interface: `code u16 · adapter u16 · length u16 · parameters`.
///
/// A packet whose length field does not fit what is there is no packet.
public struct ManagementPacket: Sendable, Equatable {
  /// The command's or the event's code.
  public var code: UInt16
  /// Controller index (`hci0` = 0); 0xFFFF for none.
  public var adapter: UInt16
  public var parameters: [UInt8]

  /// The index that stands for no adapter.
  public static let noAdapter: UInt16 = 0xFFFF
  static let headerLength = 6

  public init(code: UInt16, adapter: UInt16, parameters: [UInt8]) {
    self.code = code
    self.adapter = adapter
    self.parameters = parameters
  }

  /// Reads a datagram; nil where it is shorter than its header says.
  public init?(octets: [UInt8]) {
    guard let header = ManagementFields(octets, exactly: nil, atLeast: Self.headerLength) else { return nil }
    let length = Int(header.u16(4))
    guard octets.count >= Self.headerLength + length else { return nil }
    code = header.u16(0)
    adapter = header.u16(2)
    parameters = Array(octets[Self.headerLength..<(Self.headerLength + length)])
  }

  /// The datagram.
  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.u16(code)
    writer.u16(adapter)
    writer.u16(UInt16(clamping: parameters.count))
    writer.append(parameters)
    return writer.octets
  }
}
