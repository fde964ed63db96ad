/// What ended the procedures of a link after one of them had been answered, and before anything was committed.
struct Interruption: Sendable {
  enum Kind: Sendable, Equatable {
    /// The link is gone.
    case hangUp
    /// 30 s without an answer: no other procedure on this link (GLP 4.7.5.1).
    case silence
    /// A response came and the Write Response did not: no other request on this link (Core Vol 3 Part F 3.3.3).
    case unansweredWrite
  }

  var kind: Kind
  /// The procedure that ran and got no answer.
  var purpose: RunningProcedure.Purpose?
  /// How the run ends where what came is not committed.
  var outcome: SyncOutcome
}
