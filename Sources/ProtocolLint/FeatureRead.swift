import BluetoothWire
import LinkTrace

/// The Glucose Feature as it was first read on a link (GLS 3.3).
struct FeatureRead: Sendable {
  var bits: UInt16
  /// The Read Response.
  var place: UInt32

  /// Nil where it was not read, or not whole.
  init?(_ history: borrowing LinkHistory) {
    guard let sensor = history.sensor,
      let slot = history.handles.firstIndex(where: {
        $0.role == .glucoseFeature && $0.server == sensor && $0.reads > 0
      })
    else { return nil }
    // It is read at the start, if at all: the walk is short.
    for index in history.pdus.indices {
      let pdu = history.pdus[index]
      if Int(pdu.attribute) == slot && pdu.opcode == .readResponse && pdu.valueCount >= 2 {
        bits = history.value(pdu).u16(at: 0)
        place = UInt32(index)
        return
      }
    }
    return nil
  }
}
