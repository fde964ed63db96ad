import HealthProfiles
import LinkTrace

/// Procedures of a link that the sensor ran beside each other: their records cannot be told apart.
struct ProcedureMixtures {
  /// One procedure among those that ran together with it.
  struct Mixture {
    /// Ordinals from 1 of all that ran together, in order; empty where the procedure ran alone.
    var ordinals: [Int] = []
    var records: UInt32 = 0
    var contexts: UInt32 = 0
    /// The different numbers that came from all of them.
    var numbers = SequenceSet()
    var isFirst = false
  }

  private let procedures: [ProcedureSummary]
  /// By the index of a procedure those that overlap it, Aborts and what was not accepted left out.
  private var overlapping: [Int: [Int]] = [:]

  init(_ procedures: [ProcedureSummary]) {
    self.procedures = procedures
    for index in procedures.indices where Self.mayMix(procedures[index]) {
      if let other = procedures[index].procedure.overlaps { overlapping[Int(other), default: []].append(index) }
    }
  }

  /// What ran together with a procedure.
  subscript(index: Int) -> Mixture {
    guard Self.mayMix(procedures[index]) else { return Mixture() }
    var together = Set(overlapping[index] ?? [])
    if let other = procedures[index].procedure.overlaps.map({ Int($0) }), Self.mayMix(procedures[other]) {
      together.insert(other)
    }
    together.insert(index)
    guard together.count > 1 else { return Mixture() }
    let ordered = together.sorted()
    var numbers = SequenceSet()
    for position in ordered { numbers.formUnion(procedures[position].procedure.sequences) }
    return Mixture(
      ordinals: ordered.map { $0 + 1 },
      records: ordered.reduce(0) { $0 &+ procedures[$1].procedure.records },
      contexts: ordered.reduce(0) { $0 &+ procedures[$1].procedure.contexts },
      numbers: numbers,
      isFirst: ordered.first == index
    )
  }

  private static func mayMix(_ entry: ProcedureSummary) -> Bool {
    if entry.procedure.opCode == .abort { return false }
    if case .refused = entry.procedure.outcome { return false }
    return entry.answerFrame > 0 || entry.isCommand || entry.procedure.startedBeforeAnswer
  }
}
