public import CaptureFiles

/// One record of the monitor channel: `opcode u16 · adapter u16 · length u16 · packet`, and when it was.
public struct MonitorRecord: Sendable, Equatable {
  public var opcode: UInt16
  /// Controller index; 0xFFFF for none.
  public var adapter: UInt16
  /// Microseconds since 1970 UTC.
  public var time: Int64
  /// The packet without a type octet.
  public var packet: [UInt8]

  /// Nil where the datagram is shorter than its header says.
  public init?(octets: [UInt8], time: Int64) {
    guard let fields = ManagementFields(octets, atLeast: 6) else { return nil }
    let length = Int(fields.u16(4))
    guard octets.count >= 6 + length else { return nil }
    opcode = fields.u16(0)
    adapter = fields.u16(2)
    self.time = time
    packet = Array(octets[6..<(6 + length)])
    // User logging: priority, length of the program's name, the name, and then the text (captures.md 1.1).
    if opcode == 13, packet.count >= 2 { packet.removeFirst(2) }
  }

  /// What the packet is; nil for what is not part of a capture: management traffic of programs, which holds keys, and
  /// vendor diagnostics.
  public var kind: FrameKind? {
    let kind = FrameKind(monitorOpcode: opcode)
    return kind == .other ? nil : kind
  }
}
