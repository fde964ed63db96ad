import ProtocolLint

/// From which weight on a run has failed.
public enum FailureThreshold: String, Sendable, CaseIterable {
  case error, warning, note
  /// Any finding, and any rule that could not judge.
  case inconclusive
  case never

  func isMet(by level: FindingLevel) -> Bool {
    switch self {
    case .error: level >= .error
    case .warning: level >= .warning
    case .note, .inconclusive: true
    case .never: false
    }
  }
}
