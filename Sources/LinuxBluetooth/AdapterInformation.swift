public import BluetoothWire

/// The answer to Read Controller Information of the management interface.
public struct AdapterInformation: Sendable, Equatable {
  public var address: DeviceAddress
  /// The Bluetooth version's number (Assigned Numbers): 6 is 4.0, 9 is 5.0.
  public var version: UInt8
  /// The company that made the controller (Assigned Numbers).
  public var manufacturer: UInt16
  public var supported: ManagementSettings
  public var current: ManagementSettings
  /// The name other devices see, as octets of UTF-8.
  public var name: [UInt8]

  /// Reads `address[6] · version u8 · manufacturer u16 · supported u32 · current u32 · class u24 · name[249] ·
  /// short name[11]`.
  init?(octets: [UInt8]) {
    guard let fields = ManagementFields(octets, atLeast: 280) else { return nil }
    let value = UInt64(fields.u32(0)) | UInt64(fields.u16(4)) << 32
    address = DeviceAddress(value: value, isRandom: false)
    version = fields.u8(6)
    manufacturer = fields.u16(7)
    supported = ManagementSettings(rawValue: fields.u32(9))
    current = ManagementSettings(rawValue: fields.u32(13))
    name = Array(fields.part(20, 249).prefix { $0 != 0 })
  }

  /// Asks the kernel; nil where the adapter is gone or not yet configured.
  static func read(
    _ identifier: UInt16,
    _ control: ControlChannel,
    _ loop: inout EventLoop
  ) throws(ChannelFailure) -> AdapterInformation? {
    let answer = try control.perform(.readAdapterInformation, adapter: identifier, &loop)
    return answer.status == .success ? AdapterInformation(octets: answer.parameters) : nil
  }

  /// The version in words: `5.3`.
  public var versionText: String {
    let names = [
      "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0",
    ]
    return names.indices.contains(Int(version)) ? names[Int(version)] : "version \(version)"
  }
}
