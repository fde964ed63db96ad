import BluetoothWire
import HealthProfiles
import LinkTrace

/// What stands beside a procedure: whether its records and result can be told from those of others.
struct ProcedureStanding: Sendable {
  /// True where it was accepted while another ran, or another was accepted while it ran: their records mix.
  var isOverlapping = false
  /// True where nothing unseen can have run when it began: the link's start is in the capture, or an earlier procedure
  /// of it came to its end.
  var isAlone = false
  /// True where a later Abort was accepted while it ran, and did not fail.
  var isAborted = false
  /// True where nothing more can come of it: another request was answered, or the link is over.
  var isSettled = false
  /// True where an earlier request was accepted and its result is not in the capture: it may still run, or answer late.
  var followsUnfinished = false
  /// True where the procedure before may have left records in the queue: it was aborted, ended without its result, or
  /// with success before any record had come.
  var mayInheritRecords = false

  static func all(_ history: borrowing LinkHistory) -> [ProcedureStanding] {
    var standings = [ProcedureStanding](repeating: ProcedureStanding(), count: history.procedures.count)
    var hasFinished = false
    var hasUnfinished = false
    let isClean = history.unaskedResults.isEmpty
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      standings[index].isAlone = history.start != nil || (hasFinished && isClean)
      standings[index].followsUnfinished = hasUnfinished
      if index > 0 { standings[index].mayInheritRecords = leavesRecords(history.procedures[index - 1]) }
      if procedure.isFinished { hasFinished = true }
      standings[index].isSettled = isSettled(index, history)
      var isRefused = false
      if case .refused = procedure.outcome { isRefused = true }
      if !procedure.isFinished && !isRefused { hasUnfinished = true }
      guard let other = procedure.overlaps.map(Int.init), !isRefused else { continue }
      if procedure.opCode == .abort {
        if !procedure.isFailedAbort { standings[other].isAborted = true }
      } else {
        standings[index].isOverlapping = true
        standings[other].isOverlapping = true
      }
    }
    return standings
  }

  /// What comes before the answer to the next request may still be of this one.
  private static func isSettled(_ index: Int, _ history: borrowing LinkHistory) -> Bool {
    if history.end.cause == .disconnected || index + 2 < history.procedures.count { return true }
    guard index + 1 < history.procedures.count else { return false }
    let next = history.procedures[index + 1]
    if history.pdus[Int(next.request)].opcode.isWriteCommand { return true }
    return next.answer != nil && (!next.startedBeforeAnswer || next.result != nil)
  }

  private static func leavesRecords(_ procedure: Procedure) -> Bool {
    switch procedure.outcome {
    case .refused: false
    case .success where procedure.opCode == .report: procedure.records == 0
    case .aborted: true
    default: procedure.opCode == .abort || !procedure.isFinished
    }
  }

  /// True where its records and its result are certainly its own.
  var isClear: Bool { isAlone && !isOverlapping }
}
