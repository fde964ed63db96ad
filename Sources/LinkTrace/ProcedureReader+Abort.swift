import BluetoothWire
import HealthProfiles

extension ProcedureReader {
  /// Where an Abort has no result of its own, and the result of what it aborted came after the Abort was accepted and
  /// before the next request, that result is the Abort's: it names the wrong op code (GLS 3.4.3).
  mutating func settleAbort(_ controlPoint: UInt16, _ server: Side, _ history: borrowing LinkHistory) {
    guard let abort = running.first(where: { isAt($0, controlPoint, server) && procedures[$0].opCode == .abort }),
      history.counts.lostPackets == 0, history.counts.brokenFragments == 0,
      let answer = procedures[abort].answer, let aborted = procedures[abort].overlaps.map(Int.init),
      let result = procedures[aborted].result, result > answer, procedures[abort].result == nil,
      !isAbortAnswered(after: result, procedures[abort], history)
    else { return }
    procedures[abort].outcome = procedures[aborted].outcome
    procedures[abort].result = result
    procedures[abort].confirmation = procedures[aborted].confirmation
    procedures[abort].resultNamesOther = true
    procedures[abort].endTime = procedures[aborted].endTime
    procedures[aborted].outcome = .aborted
    procedures[aborted].result = nil
    procedures[aborted].confirmation = nil
    procedures[aborted].gaps.beforeResult = nil
    running.removeAll { $0 == abort }
    last = aborted
  }

  /// True where a result for an Abort is still to come.
  private mutating func isAbortAnswered(
    after place: UInt32,
    _ abort: Procedure,
    _ history: borrowing LinkHistory
  ) -> Bool {
    if abortAnswers == nil { abortAnswers = AbortAnswers(history) }
    guard let answer = abortAnswers?.last(of: abort) else { return false }
    return answer > place
  }

  /// Ends what an Abort has ended: all that runs, but for a younger request whose own result is the next one.
  mutating func endAborted(_ pdu: AttributePDU, _ index: Int, by abort: Int, _ history: borrowing LinkHistory) {
    var spared: [Int] = []
    for position in running where isAt(position, pdu.handle, pdu.server) {
      let isYounger = procedures[position].request > procedures[abort].request
      if isYounger && isAnsweredNext(position, after: index, history) { spared.append(position) }
    }
    for position in running where isAt(position, pdu.handle, pdu.server) && !spared.contains(position) {
      procedures[position].outcome = .aborted
      procedures[position].endTime = pdu.time
      settle(position)
      last = position
    }
    running = running.filter { !isAt($0, pdu.handle, pdu.server) || spared.contains($0) }
  }

  /// True where the next that happens on a procedure's control point is a result that names it.
  private func isAnsweredNext(_ position: Int, after index: Int, _ history: borrowing LinkHistory) -> Bool {
    let procedure = procedures[position]
    for place in (index + 1)..<max(index + 1, history.pdus.count) {
      let pdu = history.pdus[place]
      guard pdu.handle == procedure.controlPoint, pdu.server == procedure.server else { continue }
      if pdu.opcode.role == .request || pdu.opcode.isWriteCommand { return false }
      guard pdu.opcode == .indication || pdu.opcode == .notification else { continue }
      switch RecordAccessResponse(decoding: history.value(pdu), dialect: procedure.dialect).content {
      case .count: return procedure.opCode == .count
      case .outcome(let named, _): return named == procedure.opCode
      case nil: return false
      }
    }
    return false
  }
}
