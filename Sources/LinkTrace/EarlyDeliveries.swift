import BluetoothWire
import HealthProfiles

/// What a sensor sends of records between a request and its Write Response, and behind that response up to the result
/// or the next request: whether the first part is an early answer, or the rest of a report before.
struct EarlyDeliveries: Sendable {
  /// True where the request was refused: nothing that came is of it.
  private(set) var isRefused = false
  /// True where what came before the Write Response is no answer to the request: what came behind the response is the
  /// whole of it, or nothing is there yet that tells.
  private(set) var areOfEarlier = false

  /// The numbers of the measurements before and behind the Write Response.
  private var before = SequenceSet()
  private var behind = SequenceSet()
  private var result: RecordAccessResponse.Content?
  /// True where a result came without a Write Response before it.
  private var isEndedEarly = false
  /// True where nothing more can come of the request.
  private var isOver: Bool

  init(_ procedure: Procedure, _ history: borrowing LinkHistory) {
    isOver = history.end.cause == .disconnected
    let partner = history.pdus[Int(procedure.request)].partner
    guard partner != AttributePDU.none else {
      collect(procedure, history, from: .max)
      areOfEarlier = !isOver && !isEndedEarly
      return
    }
    isRefused = history.pdus[Int(partner)].opcode == .errorResponse
    guard history.pdus[Int(partner)].opcode.saysWritten else { return }
    collect(procedure, history, from: partner)
    areOfEarlier = judge(RecordAccessRequest(decoding: history.value(history.pdus[Int(procedure.request)])))
  }

  private mutating func collect(_ procedure: Procedure, _ history: borrowing LinkHistory, from answer: UInt32) {
    for index in (Int(procedure.request) + 1)..<max(history.pdus.count, Int(procedure.request) + 1) {
      let pdu = history.pdus[index]
      guard pdu.attribute != .max, pdu.server == procedure.server else { continue }
      switch history.role(pdu) {
      case .glucoseMeasurement where pdu.isDelivery && pdu.valueCount >= 3:
        let number = UInt32(history.value(pdu).u16(at: 1))
        if index < answer { before.insert(number) } else { behind.insert(number) }
      case .recordAccess where pdu.handle == procedure.controlPoint:
        switch pdu.opcode {
        case .writeRequest, .writeCommand, .executeWriteRequest:
          isOver = true
          return
        case .indication where index < answer: isEndedEarly = true
        case .indication:
          result = RecordAccessResponse(decoding: history.value(pdu)).content
          return
        default: continue
        }
      default: continue
      }
    }
  }

  private func judge(_ request: RecordAccessRequest) -> Bool {
    // A context follows its measurement, which had come before the request.
    guard let highest = before.maximum else { return true }
    // What comes once more behind the response is the request's own.
    if before.ranges.contains(where: { !behind.ranges(overlapping: $0).isEmpty }) { return true }
    var isSuccess = false
    if case .outcome(_, .success) = result { isSuccess = true }
    guard let lowest = behind.minimum else { return result == nil ? !isOver : !isSuccess }
    switch request.selection {
    case .first, .last: return true
    default: break
    }
    let matches = before.ranges.flatMap { [$0.lowerBound, $0.upperBound] }.map {
      request.matches(sequenceNumber: $0)
    }
    if matches.allSatisfy({ $0 == false }) { return true }
    // Without them the answer would not be whole.
    if isSuccess && matches.contains(true) { return false }
    return matches.contains(true) && highest > lowest
  }
}
