/// How much a finding weighs (field rules 0).
public enum FindingLevel: UInt8, Sendable, Comparable, CaseIterable {
  case note, warning, error

  public static func < (left: FindingLevel, right: FindingLevel) -> Bool { left.rawValue < right.rawValue }

  /// The word that is printed.
  public var name: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
