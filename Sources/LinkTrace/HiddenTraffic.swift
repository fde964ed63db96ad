import BluetoothWire
import HealthProfiles

/// Why what is not seen on a link may have happened all the same.
public enum HiddenTraffic: Sendable, Equatable {
  /// The logger kept nothing of attribute packets.
  case emptiedPackets
  /// Packets of one side alone are in the capture.
  case onlySent, onlyReceived
  /// Of reads, writes and values too little is left to name their handles.
  case namelessPackets(UInt32)
  /// Values came from handles that nothing names.
  case unnamedValues(UInt32)
  /// The first write that may ask for records, to a handle that nothing names.
  case unnamedRequest(handle: UInt16, frame: UInt32)

  /// - Returns: nil where the link hides nothing.
  public init?(_ history: borrowing LinkHistory) {
    if history.counts.emptiedPDUs > 0 {
      self = .emptiedPackets
      return
    }
    let (sent, received) = (history.counts.sentPDUs, history.counts.receivedPDUs)
    if sent == 0 && received > 1 || received == 0 && sent > 1 {
      self = sent == 0 ? .onlyReceived : .onlySent
      return
    }
    if history.counts.namelessPDUs > 0 {
      self = .namelessPackets(history.counts.namelessPDUs)
      return
    }
    // A link that shows its table names what matters; what is left is another service's.
    if history.counts.clippedPDUs > 0 {
      var values: UInt32 = 0
      for traffic in history.handles
      where traffic.role == .unknown && traffic.server == history.sensor ?? traffic.server {
        values &+= traffic.notifications &+ traffic.indications
      }
      if values > 0 {
        self = .unnamedValues(values)
        return
      }
    }
    guard let request = Self.unnamedRequest(history) else { return nil }
    self = request
  }

  /// True where values may have come: records are among what is hidden, and not their request alone.
  public var hidesValues: Bool {
    if case .unnamedRequest = self { return false }
    return true
  }

  /// A write in the shape of a request, or of which so much is cut that it may have it, where no control point is known.
  private static func unnamedRequest(_ history: borrowing LinkHistory) -> HiddenTraffic? {
    guard history.procedures.isEmpty, let sensor = history.sensor, !knowsControlPoint(history, sensor),
      history.handles.contains(where: { $0.role == .unknown && $0.writes > 0 && $0.server == sensor })
    else { return nil }
    for pdu in history.pdus where pdu.attribute != .max && pdu.opcode.writesValue && pdu.server == sensor {
      guard history.role(pdu) == .unknown, mayAsk(pdu, history) else { continue }
      return .unnamedRequest(handle: pdu.handle, frame: pdu.frame)
    }
    return nil
  }

  private static func knowsControlPoint(_ history: borrowing LinkHistory, _ sensor: Side) -> Bool {
    history.handles.contains { $0.role.isControlPoint && $0.server == sensor }
      || history.database(sensor).attributes.contains { $0.kind == .value && AttributeRole($0.type).isControlPoint }
  }

  private static func mayAsk(_ pdu: AttributePDU, _ history: borrowing LinkHistory) -> Bool {
    let value = history.value(pdu)
    guard pdu.isClipped || pdu.isValueDropped else {
      return RecordAccessRequest.looksLikeRequest(value)
        || RecordAccessRequest.looksLikeRequest(value, dialect: .insulinDelivery)
    }
    guard value.byteCount > 0 else { return true }
    return [0x01, 0x02, 0x03, 0x04, 0x33, 0x3C, 0x55, 0x5A].contains(value.u8(at: 0))
  }
}
