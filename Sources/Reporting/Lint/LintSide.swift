import ProtocolLint

/// The side that is judged where only one is.
public enum LintSide: String, Sendable, CaseIterable {
  case sensor, collector

  /// The stack under an app is on its side of the link: confirmations and repeated discoveries are its work.
  func answers(for fault: Fault) -> Bool {
    switch fault {
    case .sensor: self == .sensor
    case .collector, .hostStack: self == .collector
    case .capture, .undetermined: false
    }
  }
}
