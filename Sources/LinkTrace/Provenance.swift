/// How the name of a handle is known; printed with it, and it caps what may be concluded from it.
public enum Provenance: UInt8, Sendable, Comparable {
  /// Nothing names the handle.
  case unnamed
  /// Only the control point's own exchange fits, or only clipped values: the service is a guess.
  case inferredWeak
  /// Requests, results and record values fit the shape of the profile.
  case inferred
  /// Discovered on another link of the same identity in the input.
  case remembered
  /// Given by the user (`--gatt`).
  case supplied
  /// Discovered on this link.
  case discovered

  public static func < (left: Provenance, right: Provenance) -> Bool { left.rawValue < right.rawValue }

  /// The word that is printed.
  public var name: String {
    switch self {
    case .unnamed: "unnamed"
    case .inferredWeak, .inferred: "inferred"
    case .remembered: "remembered"
    case .supplied: "supplied"
    case .discovered: "discovered"
    }
  }
}
