import BluetoothWire
import HealthProfiles
import LinkTrace

extension LinkHistory {
  /// What the sensor had queued for an earlier report may come for so long after its result. Microseconds.
  private static let trail: Int64 = 2_000_000

  /// True where what came before the Write Response of a request may have been sent before the request had arrived, as
  /// far as the collector's host can see: a reading of the moment, or the rest of a report that had just ended.
  ///
  /// The sensor's host sees which came first.
  func mayCrossRequest(_ procedure: Procedure) -> Bool {
    if resultMayCrossRequest(procedure) { return true }
    guard procedure.startedBeforeAnswer, procedure.server == .remote, let answer = procedure.answer,
      let first = procedure.firstRecord, first < answer, time(first) - procedure.startTime < crossing
    else { return false }
    if let result = procedure.result, result < first { return false }
    var measurements = 0
    for place in first..<answer where pdus[Int(place)].server == procedure.server && isMeasurement(pdus[Int(place)]) {
      measurements += 1
    }
    if measurements < 2 { return true }
    return procedures.contains {
      guard let result = $0.result, result < procedure.request, $0.opCode.mayDeliver, $0.server == procedure.server
      else { return false }
      return time(first) - time(result) < Self.trail
    }
  }

  /// The same of a result before the Write Response: it may be a second one of an earlier request.
  func resultMayCrossRequest(_ procedure: Procedure) -> Bool {
    guard procedure.startedBeforeAnswer, procedure.server == .remote, let result = procedure.result,
      result < procedure.answer ?? .max, time(result) - procedure.startTime < crossing
    else { return false }
    let octets = resultOctets(procedure)
    return procedures.contains {
      guard let earlier = $0.result, earlier < procedure.request, $0.server == procedure.server else { return false }
      return resultOctets($0) == octets
    }
  }

  private func isMeasurement(_ pdu: AttributePDU) -> Bool {
    role(pdu) == .glucoseMeasurement && pdu.opcode.role == .notification
  }
}
