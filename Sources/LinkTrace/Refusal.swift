public import BluetoothWire

/// A read or write of an attribute of the stored-record service that was answered by an ATT error.
public struct Refusal: Sendable {
  /// Frame of the Error Response.
  public var frame: UInt32
  public var request: ATTOpcode
  public var handle: UInt16
  public var role: AttributeRole
  public var error: ATTError

  /// The first refusals of a link, control-point requests and subscriptions apart: those have lines of their own.
  static func list(_ history: borrowing LinkHistory) -> [Refusal] {
    var refusals: [Refusal] = []
    for index in history.pdus.indices where history.pdus[index].opcodeValue == 0x01 {
      let pdu = history.pdus[index]
      guard refusals.count < 4, pdu.attribute != .max, pdu.partner != AttributePDU.none, pdu.valueCount >= 4 else {
        continue
      }
      let role = history.handles[Int(pdu.attribute)].role
      let request = history.pdus[Int(pdu.partner)].opcode
      let isWrite = request == .writeRequest || request == .executeWriteRequest
      guard role.isRecord || role == .glucoseContext || role == .glucoseFeature || (role.isControlPoint && !isWrite)
      else { continue }
      refusals.append(
        Refusal(
          frame: pdu.frame,
          request: request,
          handle: pdu.handle,
          role: role,
          error: ATTError(rawValue: history.value(pdu).u8(at: 3))
        )
      )
    }
    return refusals
  }
}
