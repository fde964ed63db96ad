import BluetoothWire

/// What a control point sends for a request, up to the next request there.
struct RequestAnswers: Sendable {
  /// True where the request has its Write Response, or its Error Response.
  private(set) var isAccepted = false
  private(set) var isRefused = false
  /// The last result behind the Write Response.
  private(set) var lastResult: UInt32?
  /// True where nothing more can come of it: another request follows, or the link is seen to end.
  private(set) var isOver: Bool

  init(_ procedure: Procedure, _ history: borrowing LinkHistory) {
    isOver = history.end.cause == .disconnected
    let partner = history.pdus[Int(procedure.request)].partner
    if partner != AttributePDU.none {
      isAccepted = history.pdus[Int(partner)].opcode == .writeResponse
      isRefused = history.pdus[Int(partner)].opcode == .errorResponse
    }
    for index in (Int(procedure.request) + 1)..<max(history.pdus.count, Int(procedure.request) + 1) {
      let pdu = history.pdus[index]
      guard pdu.handle == procedure.controlPoint, pdu.server == procedure.server else { continue }
      switch pdu.opcode {
      case .writeRequest, .writeCommand:
        isOver = true
        return
      case .indication where isAccepted && UInt32(index) > partner: lastResult = UInt32(index)
      default: continue
      }
    }
  }
}
