import BluetoothWire
import LinkTrace

/// What the two rules about pauses of a report share: one finding a link, about the longest.
enum Pauses {
  /// Shorter ones defeat no timer that an app would have. Microseconds.
  static let limit: Int64 = 2_000_000
  /// Longer ones run into the timer of the profile, with a second for the logger: RACP-004 has them. Microseconds.
  static let longest = ProcedureTimer.limit

  /// A pause of a report, and the PDU that ended it.
  struct Pause {
    var length: Int64
    var place: UInt32
  }

  static func check(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    _ rule: RuleIdentifier,
    evidence: String,
    where pause: (Procedure, borrowing LinkHistory) -> Pause?,
    message: (String) -> String
  ) -> RuleOutcome {
    var long: [Int] = []
    var longest: Pause?
    var isJudged = false
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.records > 0 else { continue }
      isJudged = true
      guard procedure.gaps.longest > limit || procedure.gaps.beforeResult ?? 0 > limit,
        !subject.standings[index].isOverlapping, let found = pause(procedure, history),
        subject.wantsRecords(of: index, until: found.place, history),
        subject.subscriptions.staysOn(.recordAccess, from: procedure.request, until: found.place)
      else { continue }
      if found.length >= Self.longest { continue }
      if found.length > longest?.length ?? 0 {
        longest = found
        long.insert(index, at: 0)
      } else {
        long.append(index)
      }
    }
    guard isJudged else { return .notApplicable }
    guard let longest, let index = long.first else { return .pass }
    let procedure = history.procedures[index]
    return .fail([
      Finding(
        rule,
        .note,
        .sensor,
        .certain,
        link: history.number,
        procedure: index,
        otherProcedures: Array(long.dropFirst()),
        frames: [history.frame(longest.place)]
          + long.flatMap { index in
            let other = history.procedures[index]
            return [pause(other, history)?.place ?? other.request, other.request].map { history.frame($0) }
          },
        time: history.time(longest.place),
        key: "pause",
        message: message(durationText(longest.length)) + " of \(subject.quoted(index))"
          + (long.count > 1 ? "; the longest in \(long.count) reports" : ""),
        evidence: ["median pause between records \(procedure.gaps.median / 1000) ms", evidence]
      )
    ])
  }
}
