import HealthProfiles
import LinkTrace

/// What stands beside a procedure: whether its records and result can be told from those of others.
struct ProcedureStanding: Sendable {
  /// True where it was accepted while another ran, or another was accepted while it ran: their records mix.
  var isOverlapping = false
  /// True where nothing unseen can have run when it began: the link's start is in the capture, or an earlier procedure
  /// of it came to its end.
  var isAlone = false
  /// True where a later Abort was accepted while it ran.
  var isAborted = false
  /// True where nothing more can come of it: another request followed, or the link is over.
  var isSettled = false

  static func all(_ history: borrowing LinkHistory) -> [ProcedureStanding] {
    var standings = [ProcedureStanding](repeating: ProcedureStanding(), count: history.procedures.count)
    var hasFinished = false
    let isClean = history.unaskedResults.isEmpty
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      standings[index].isAlone = history.start != nil || (hasFinished && isClean)
      if procedure.isFinished { hasFinished = true }
      standings[index].isSettled = history.end.cause == .disconnected || index + 1 < history.procedures.count
      var isRefused = false
      if case .refused = procedure.outcome { isRefused = true }
      guard let other = procedure.overlaps.map(Int.init), !isRefused else { continue }
      if procedure.opCode == .abort {
        standings[other].isAborted = true
      } else {
        standings[index].isOverlapping = true
        standings[other].isOverlapping = true
      }
    }
    return standings
  }

  /// True where its records and its result are certainly its own.
  var isClear: Bool { isAlone && !isOverlapping }
}
