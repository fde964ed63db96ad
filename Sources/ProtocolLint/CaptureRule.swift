public import CaptureFiles

/// A rule over what a reader notes of a capture's container and clock: a pure function.
public protocol CaptureRule: Rule {
  /// Notes of a damaged file that the rule finds fault with, where no steps of a scenario can make one.
  var failingNotes: [CaptureNote] { get }

  /// What is odd about the capture itself. Findings have link 0.
  func check(_ capture: CaptureSubject) -> RuleOutcome
}

extension CaptureRule {
  public var failingNotes: [CaptureNote] { [] }
}

/// What is known of a capture apart from its links.
public struct CaptureSubject: Sendable {
  public var notes: [CaptureNote]
  public var frames: UInt32

  public init(notes: [CaptureNote], frames: UInt32) {
    self.notes = notes
    self.frames = frames
  }

  func notes(_ kinds: CaptureNote.Kind...) -> [CaptureNote] { notes.filter { kinds.contains($0.kind) } }
}

/// What all rules say of the capture itself.
public struct CaptureVerdicts: Sendable {
  public private(set) var findings: [Finding] = []
  public private(set) var passed: [RuleIdentifier] = []

  public init(_ capture: CaptureSubject, rules: [any CaptureRule] = RuleRegistry.captureRules) {
    for rule in rules {
      switch rule.check(capture) {
      case .fail(let found): findings += found
      case .pass, .passWithout: passed.append(rule.description.identifier)
      case .notApplicable, .inconclusive: continue
      }
    }
  }
}
