import BluetoothWire
import HealthProfiles
import LinkTrace

/// Short ways to what the rules ask of records.
extension LinkHistory {
  /// A record as messages name it: `number 7`, `the context of number 8`, `a record` where its number is not kept.
  func recordName(_ place: UInt32) -> String {
    let pdu = pdus[Int(place)]
    let isContext = role(pdu) == .glucoseContext
    guard pdu.valueCount >= 3 else { return isContext ? "a context" : "a record" }
    return (isContext ? "the context of number " : "number ") + "\(value(pdu).u16(at: 1))"
  }

  /// The octets of a value in words of evidence.
  func octetsText(_ place: UInt32) -> String {
    let pdu = pdus[Int(place)]
    return "frame \(pdu.frame): \(octetText(value(pdu).copied()))"
  }

  /// The PDU that a frame completed; nil where it completed none that is kept.
  func place(ofFrame frame: UInt32) -> UInt32? {
    let place = pdus.endOfPrefix { $0.frame < frame }
    return place < pdus.count && pdus[place].frame == frame ? UInt32(place) : nil
  }

  /// The last procedure whose request stands before a PDU.
  func procedure(before place: UInt32) -> Int? {
    let next = procedures.endOfPrefix { $0.request < place }
    return next > 0 ? next - 1 : nil
  }

  /// True where a procedure was accepted: the answer that says it is written is there, or its request was a command.
  func wasAccepted(_ procedure: Procedure) -> Bool {
    if let answer = procedure.answer { return pdus[Int(answer)].opcode.saysWritten }
    return pdus[Int(procedure.request)].opcode.isWriteCommand
  }

  /// The octets of a result; empty where there is none.
  func resultOctets(_ procedure: Procedure) -> [UInt8] {
    procedure.result.map { value(pdus[Int($0)]).copied() } ?? []
  }
}
