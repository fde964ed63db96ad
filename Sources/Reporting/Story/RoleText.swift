import LinkTrace

/// Short words for roles and outcomes, as listings use them.
enum RoleText {
  static func label(_ role: AttributeRole) -> String {
    switch role {
    case .unknown: "unnamed"
    case .glucoseMeasurement: "measurement"
    case .glucoseContext: "context"
    case .glucoseFeature: "feature"
    case .recordAccess: "record access"
    case .insulinRecordAccess: "record access (insulin delivery style)"
    case .insulinHistory: "history data"
    case .otherRecords: "records"
    case .subscription: "subscription"
    case .other: "other"
    }
  }

  static func role(of outcome: Procedure.Outcome) -> TextRole {
    switch outcome {
    case .success, .noRecords, .count: .good
    case .running, .captureEnded, .notCaptured, .resultClipped, .aborted: .plain
    case .failed, .refused, .superseded, .linkLost, .disconnected, .unanswered, .malformedResult: .bad
    }
  }
}
