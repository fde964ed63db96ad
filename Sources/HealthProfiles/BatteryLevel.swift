public import BluetoothWire

/// Battery Level: one octet, percent (BAS, 0x2A19).
public struct BatteryLevel: Hashable, Sendable {
  /// 0...100; higher values are reserved and kept.
  public var percent: UInt8

  public init(percent: UInt8) { self.percent = percent }

  /// One octet; octets after it are ignored.
  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 1 else {
      throw WireError(.characteristic, offset: 0, needed: 1, available: 0)
    }
    percent = bytes.u8(at: 0)
  }

  public var octets: [UInt8] { [percent] }

  /// True for 0...100.
  public var isValid: Bool { percent <= 100 }
}
