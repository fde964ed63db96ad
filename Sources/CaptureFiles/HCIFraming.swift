/// The ways a record says what packet it holds (captures.md 1 and 1.1, transport.md 1).
enum HCIFraming {
  /// btsnoop flags of datalink 1001: bit 0 received, bit 1 command or event.
  @inline(__always) static func kind(btsnoopFlags flags: UInt32) -> FrameKind {
    switch flags & 3 {
    case 0: .aclSent
    case 1: .aclReceived
    case 2: .command
    default: .event
    }
  }

  /// The H4 packet-type octet; the direction counts for data only. Nil for an unknown type.
  @inline(__always) static func kind(h4 type: UInt8, sent: Bool) -> FrameKind? {
    switch type {
    case 0x01: .command
    case 0x02: sent ? .aclSent : .aclReceived
    case 0x03: sent ? .scoSent : .scoReceived
    case 0x04: .event
    case 0x05: sent ? .isoSent : .isoReceived
    default: nil
    }
  }

  /// The opcode of a Linux monitor record; nil for an unknown one.
  @inline(__always) static func kind(monitor opcode: UInt16) -> FrameKind? {
    switch opcode {
    case 0: .adapterAdded
    case 1: .adapterRemoved
    case 2: .command
    case 3: .event
    case 4: .aclSent
    case 5: .aclReceived
    case 6: .scoSent
    case 7: .scoReceived
    case 8: .adapterOpened
    case 9: .adapterClosed
    case 10: .adapterInformation
    case 11, 14, 15, 16, 17: .other
    case 12, 13: .text
    case 18: .isoSent
    case 19: .isoReceived
    default: nil
    }
  }

  /// Octets of a user-logging record before its text: priority and length of the name (captures.md 1.1).
  static let userLogging: UInt16 = 13
}

extension CaptureReader {
  /// Takes the H4 type octet off the front of a frame and sets its kind from it.
  @inline(__always) mutating func stripTypeOctet(_ frame: inout CapturedFrame, type: UInt8, sent: Bool) {
    if frame.length > 0 {
      frame.offset &+= 1
      frame.length &-= 1
      frame.originalLength &-= 1
    }
    if let kind = HCIFraming.kind(h4: type, sent: sent) {
      frame.kind = kind
    } else {
      frame.kind = .other
      note(.unknownRecord, amount: Int64(type))
    }
  }

  /// Sets a frame's adapter and kind from a Linux monitor header.
  @inline(__always)
  mutating func applyMonitorHeader(_ frame: inout CapturedFrame, adapter: UInt16, opcode: UInt16) {
    frame.adapter = adapter
    if let kind = HCIFraming.kind(monitor: opcode) {
      frame.kind = kind
      if opcode == HCIFraming.userLogging, frame.length >= 2 {
        frame.offset &+= 2
        frame.length &-= 2
        frame.originalLength &-= 2
      }
    } else {
      frame.kind = .other
      note(.unknownRecord, amount: Int64(opcode))
    }
  }
}
