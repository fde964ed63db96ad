import BluetoothWire
import HealthProfiles

extension ProcedureReader {
  /// An Abort's own result comes so soon after another result, where it comes at all. Microseconds.
  private static let abortResult: Int64 = 1_000_000

  /// Decides what became of the procedures that still run at the end of the link.
  mutating func conclude(_ history: borrowing LinkHistory) {
    if history.end.cause == .disconnected {
      // The Abort's own result may be on its way when the link ends.
      for position in running where procedures[position].opCode == .abort {
        let ended = procedures[position].overlaps.map { procedures[Int($0)].endTime } ?? history.end.time
        guard history.end.time &- ended >= Self.abortResult else { continue }
        settleAbort(procedures[position].controlPoint, procedures[position].server, history)
      }
    }
    // A handle that was given out again tells nothing of when its link ended.
    let watched = history.end.cause == .superseded ? history.lastTime : history.end.time
    for position in waiting + running {
      settle(position)
      // What would end it may come from another handle.
      if history.tableChanged(
        procedures[position].controlPoint,
        procedures[position].server,
        after: procedures[position].request
      ) {
        procedures[position].outcome = .notCaptured
        continue
      }
      let idle = watched &- procedures[position].lastActivity
      if history.end.cause == .open {
        procedures[position].outcome = ProcedureTimer.hasSurelyRunOut(idle) ? .unanswered : .running
        continue
      }
      // What an Abort that failed was to end runs on.
      let isSuperseded = procedures.indices.contains {
        procedures[$0].overlaps == UInt32(position) && procedures[$0].isFinished && !procedures[$0].isFailedAbort
      }
      if isSuperseded {
        procedures[position].outcome = .superseded
      } else if lostSince(position, history) {
        procedures[position].outcome = .notCaptured
      } else if idle >= ProcedureTimer.length {
        procedures[position].outcome = .unanswered
      } else {
        switch history.end.cause {
        case .disconnected:
          procedures[position].outcome =
            history.end.isLoss
            ? .linkLost : .disconnected(by: history.end.endedBy)
        case .open, .captureEnded, .controllerGone, .superseded: procedures[position].outcome = .captureEnded
        }
      }
    }
  }

  /// True where packets were lost, or fragments did not fit, after the last frame that belongs to a procedure.
  private func lostSince(_ position: Int, _ history: borrowing LinkHistory) -> Bool {
    guard history.counts.lostPackets > 0 || history.counts.brokenFragments > 0 else { return false }
    let procedure = procedures[position]
    let last = procedure.lastRecord ?? procedure.answer ?? procedure.request
    let frame = history.pdus[Int(last)].frame
    return history.events.contains {
      ($0.kind == .packetsLost || $0.kind == .reassemblyBroken) && $0.frame > frame
    }
  }
}
