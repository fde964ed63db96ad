import BluetoothWire
import CaptureFiles

/// Reads the connection handle out of HCI packets that name one.
enum HandleOfFrame {
  /// Nil for packets that name none.
  static func handle(_ frame: CapturedFrame, _ bytes: RawSpan) -> UInt16? {
    switch frame.kind {
    case .aclSent, .aclReceived, .aclUndirected: bytes.byteCount >= 2 ? bytes.u16(at: 0) & 0x0FFF : nil
    case .command: command(bytes)
    case .event: event(bytes)
    default: nil
    }
  }

  private static func command(_ bytes: RawSpan) -> UInt16? {
    guard bytes.byteCount >= 5 else { return nil }
    switch bytes.u16(at: 0) {
    case 0x0406, 0x041D, 0x2013, 0x2016, 0x2019, 0x201A, 0x201B, 0x2020, 0x2021, 0x2022, 0x2032:
      return bytes.u16(at: 3) & 0x0FFF
    default: return nil
    }
  }

  private static func event(_ bytes: RawSpan) -> UInt16? {
    guard bytes.byteCount >= 6 else { return nil }
    switch (bytes.u8(at: 0), bytes.u8(at: 2)) {
    case (0x05, _), (0x08, _), (0x30, _), (0x59, _): return bytes.u16(at: 3) & 0x0FFF
    case (0x3E, 0x01), (0x3E, 0x0A), (0x3E, 0x29), (0x3E, 0x03), (0x3E, 0x04), (0x3E, 0x0C):
      return bytes.u16(at: 4) & 0x0FFF
    case (0x3E, 0x05), (0x3E, 0x06), (0x3E, 0x07): return bytes.u16(at: 3) & 0x0FFF
    default: return nil
    }
  }
}
