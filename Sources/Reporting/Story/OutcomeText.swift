import BluetoothWire
import HealthProfiles
import LinkTrace

/// The outcome of a procedure in words.
enum OutcomeText {
  /// As it stands in a line of its own, with the sides named.
  ///
  /// - Parameter end: how its link ended.
  static func full(_ procedure: Procedure, sensor: Side?, end: LinkEnd.Cause) -> String {
    switch procedure.outcome {
    case .running: "still running"
    case .success: "success"
    case .noRecords: "no records found"
    case .count(let number): "\(number) stored"
    case .failed(let value): value.name
    case .refused(let error):
      "refused: " + ProfileErrors.profileErrorName(code: error.rawValue, service: refusingService(procedure))
        + " (0x" + hex(UInt64(error.rawValue), digits: 2) + ")"
    case .aborted: "aborted"
    case .superseded: "superseded by an overlapping request"
    case .linkLost: "link lost"
    case .disconnected(let side): disconnected(side, sensor)
    case .unanswered: "no result within 30 s"
    case .resultClipped: "ended; the result is cut by the logger"
    case .malformedResult: "ended by a malformed result"
    case .captureEnded: cutOff(end)
    case .notCaptured: "its result may be among the packets the capture lost"
    }
  }

  /// A word or two for totals.
  static func short(_ outcome: Procedure.Outcome) -> String {
    switch outcome {
    case .running: "running"
    case .success: "success"
    case .noRecords: "no records found"
    case .count: "counted"
    case .failed(let value): value.name
    case .refused: "refused"
    case .aborted: "aborted"
    case .superseded: "superseded"
    case .linkLost: "link lost"
    case .disconnected: "link ended by a side"
    case .unanswered: "unanswered"
    case .resultClipped: "result clipped"
    case .malformedResult: "malformed result"
    case .captureEnded: "cut off before its result"
    case .notCaptured: "not captured to the end"
    }
  }

  /// How often each came, the most frequent first.
  static func totals(_ outcomes: [String: Int]) -> String {
    outcomes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  private static func cutOff(_ end: LinkEnd.Cause) -> String {
    switch end {
    case .controllerGone: "the controller was reset before its result"
    case .superseded: "neither its result nor the link's end is captured"
    default: "the capture ends before its result"
    }
  }

  private static func refusingService(_ procedure: Procedure) -> UInt16? {
    procedure.provenance == .inferredWeak ? nil : procedure.dialect == .insulinDelivery ? 0x183A : 0x1808
  }

  private static func disconnected(_ side: Side?, _ sensor: Side?) -> String {
    guard let side, let sensor else { return "link ended before its result" }
    return side == sensor ? "the sensor hung up before its result" : "the collector hung up before its result"
  }
}
