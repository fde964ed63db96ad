/// One broken clause: where, whose fault, and with what numbers.
public struct Finding: Sendable {
  public var rule: RuleIdentifier
  public var level: FindingLevel
  /// The most it may weigh, as its names are known.
  public internal(set) var levelCap = FindingLevel.error
  public var fault: Fault
  public var confidence: Confidence
  /// The ordinal of the file among those of the run, and the link's number in the run over that file; 0 where the
  /// finding is about the capture itself.
  public var file: UInt16 = 0
  public var link: UInt32
  /// Further links it speaks of.
  public var otherLinks: [LinkReference] = []
  /// The procedure's index on its link; nil for a finding about the link.
  public var procedure: Int?
  /// Further procedures of the link that it speaks of.
  public var otherProcedures: [Int]
  /// The anchor first, then the first nineteen of the others in file order; each frame once.
  public private(set) var frames: [UInt32]
  /// How many frames it has in all, those that are not listed included.
  public private(set) var frameCount: Int
  /// Microseconds since 1970 UTC of the anchor.
  public var time: Int64
  /// One lower-case sentence with the numbers in it, without a full stop.
  public var message: String
  /// What the finding rests on, line by line.
  public var evidence: [String]
  /// What stays the same where the same link is cut out of a longer capture or seen from its other end: the rule and
  /// its own facts, never a frame or link number. Equal ones on a link are told apart by `#2`, `#3`.
  public var fingerprint: String
  /// False for an observation that is nobody's root cause: it silences nothing.
  public var isRootCause = true
  /// Of a link, the frame from which on it explains nothing any more.
  var explainsBefore: [LinkReference: UInt32] = [:]
  /// Findings this one explains: they are listed here and not reported by themselves.
  public var consequences: [Consequence] = []

  /// A finding that another one explains.
  public struct Consequence: Sendable, Equatable {
    public var rule: RuleIdentifier
    public var count: Int

    public init(rule: RuleIdentifier, count: Int) {
      self.rule = rule
      self.count = count
    }
  }

  /// Frames kept of one finding.
  static let frameLimit = 20

  /// - Parameters:
  ///   - frames: the anchor first; the others are put in file order, and each is kept once.
  ///   - omitted: further frames of the finding, which are not given.
  ///   - key: the facts that make the fingerprint, such as the octets of the request.
  public init(
    _ rule: RuleIdentifier,
    _ level: FindingLevel,
    _ fault: Fault,
    _ confidence: Confidence,
    link: UInt32,
    procedure: Int? = nil,
    otherProcedures: [Int] = [],
    frames: [UInt32],
    omitted: Int = 0,
    time: Int64,
    key: String,
    message: String,
    evidence: [String] = []
  ) {
    self.rule = rule
    self.level = level
    self.fault = fault
    self.confidence = confidence
    self.link = link
    self.procedure = procedure
    self.otherProcedures = otherProcedures
    let distinct = Self.ordered(frames)
    self.frames = Array(distinct.prefix(Self.frameLimit))
    frameCount = distinct.count + max(0, omitted)
    self.time = time
    self.message = message
    self.evidence = evidence
    fingerprint = "\(rule) \(key)"
  }

  private static func ordered(_ frames: [UInt32]) -> [UInt32] {
    guard let anchor = frames.first else { return [] }
    var ordered = [anchor]
    for frame in frames.dropFirst().sorted() where frame != anchor && frame != ordered.last { ordered.append(frame) }
    return ordered
  }

  /// Adds a frame that belongs to it.
  mutating func add(frame: UInt32) {
    guard !frames.isEmpty, !frames.contains(frame) else { return }
    frameCount += 1
    frames = Array(Self.ordered(frames + [frame]).prefix(Self.frameLimit))
  }

  /// Lists findings of a rule that this one explains.
  mutating func add(_ consequence: Consequence) {
    if let known = consequences.firstIndex(where: { $0.rule == consequence.rule }) {
      consequences[known].count += consequence.count
    } else {
      consequences.append(consequence)
      consequences.sort { $0.rule.description < $1.rule.description }
    }
  }

  /// True where what stands on a link from a frame on may be explained by it.
  func explains(on link: LinkReference, from frame: UInt32?) -> Bool {
    guard let end = explainsBefore[link], let frame else { return true }
    return frame < end
  }

  /// Every link it speaks of.
  var links: [LinkReference] { [LinkReference(file: file, link: link)] + otherLinks }

  /// Two findings about one link speak of one matter where they name the same procedure, or share a frame.
  func touches(_ other: Finding) -> Bool {
    sharesProcedure(with: other) || !Set(frames).isDisjoint(with: other.frames)
  }

  func sharesProcedure(with other: Finding) -> Bool {
    let mine = otherProcedures + (procedure.map { [$0] } ?? [])
    let others = other.otherProcedures + (other.procedure.map { [$0] } ?? [])
    return mine.contains { others.contains($0) }
  }
}
