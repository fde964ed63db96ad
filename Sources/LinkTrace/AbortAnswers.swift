import BluetoothWire
import HealthProfiles

/// Where on a link each control point indicates for the last time what may be the result of an Abort.
///
/// Looked up once: every request behind an Abort without a result asks for it.
struct AbortAnswers: Sendable {
  private struct ControlPoint: Hashable {
    var handle: UInt16
    var server: Side
    var dialect: RecordAccessDialect
  }

  private var last: [ControlPoint: UInt32] = [:]

  init(_ history: borrowing LinkHistory) {
    for index in history.pdus.indices where history.pdus[index].opcode == .indication {
      let pdu = history.pdus[index]
      guard history.role(pdu).isControlPoint else { continue }
      for dialect in [RecordAccessDialect.health, .insulinDelivery] {
        // Of what is too short to name a request nothing tells that it is none.
        let isAnswer =
          pdu.valueCount < 3 || RecordAccessOpCode(history.value(pdu).u8(at: 2), dialect: dialect) == .abort
        guard isAnswer else { continue }
        last[ControlPoint(handle: pdu.handle, server: pdu.server, dialect: dialect)] = UInt32(index)
      }
    }
  }

  /// The last one on the control point of an Abort; nil where there is none.
  func last(of abort: Procedure) -> UInt32? {
    last[ControlPoint(handle: abort.controlPoint, server: abort.server, dialect: abort.dialect)]
  }
}
