/// What a captured frame is, and its direction as the local host sees it: sent = host to controller.
public enum FrameKind: UInt8, Sendable {
  case command
  case event
  case aclSent
  case aclReceived
  /// ACL data from a file without directions (link type 187): the packet-boundary flag or reassembly must tell.
  case aclUndirected
  case scoSent
  case scoReceived
  case isoSent
  case isoReceived
  /// Linux monitor opcodes 0, 1, 8, 9, 10 (captures.md 1.1).
  case adapterAdded
  case adapterRemoved
  case adapterOpened
  case adapterClosed
  case adapterInformation
  /// Text from the logger: system notes, user logging, PacketLogger notes.
  case text
  /// Vendor diagnostics and control-channel records: counted, not decoded.
  case other

  /// What a record of the Linux monitor is, by its opcode (captures.md 1.1); nil for an unknown one.
  public init?(monitorOpcode opcode: UInt16) {
    guard let kind = HCIFraming.kind(monitor: opcode) else { return nil }
    self = kind
  }
}
