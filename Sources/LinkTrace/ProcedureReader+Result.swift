import BluetoothWire
import HealthProfiles

extension ProcedureReader {
  /// Takes a result: the procedure that it ends is the one it names, among those that run.
  mutating func result(_ index: Int, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    if !running.contains(where: { isAt($0, pdu.handle, pdu.server) }),
      let place = waiting.firstIndex(where: { isAt($0, pdu.handle, pdu.server) })
    {
      switch owner(of: index, waiting[place], history) {
      case .request: startEarly(waiting: place, pdu.time)
      case .earlier:
        if unasked.count < Self.unaskedLimit { unasked.append(UInt32(index)) }
        return
      case .undecided:
        hasUndecidedResult = true
        return
      }
    }
    startNamed(pdu, history)
    let open = running.filter { isAt($0, pdu.handle, pdu.server) }
    guard let first = open.first else {
      if unasked.count < Self.unaskedLimit { unasked.append(UInt32(index)) }
      return
    }
    let value = history.value(pdu)
    let response = RecordAccessResponse(decoding: value, dialect: procedures[first].dialect)
    if pdu.isClipped && value.byteCount < 4 {
      let named: RecordAccessOpCode? =
        value.byteCount == 3 && value.u8(at: 0) == 0x06
        ? RecordAccessOpCode(value.u8(at: 2), dialect: procedures[first].dialect) : nil
      let position =
        open.first { procedures[$0].opCode == named } ?? open.first { procedures[$0].opCode != .abort } ?? first
      end(position, .resultClipped, index, pdu.time)
      // A clipped answer to an Abort leaves open whether the aborted procedure still runs: it is not accused.
      if procedures[position].opCode == .abort {
        endAborted(pdu, index, by: position, history)
      } else if named == nil, let abort = open.first(where: { procedures[$0].opCode == .abort }) {
        // Nor does a result of which not even the request is left: it may be the Abort's.
        end(abort, .resultClipped, index, pdu.time)
      }
      return
    }
    switch response.content {
    case .count(let number):
      let position =
        open.first { procedures[$0].opCode == .count } ?? open.first { procedures[$0].opCode != .abort } ?? first
      procedures[position].resultNamesOther = procedures[position].opCode != .count
      end(position, .count(number), index, pdu.time)
    case .outcome(let named, let code):
      if named == .abort, let abort = open.first(where: { procedures[$0].opCode == .abort }) {
        end(abort, Self.outcome(code), index, pdu.time)
        if code == .success { endAborted(pdu, index, by: abort, history) }
        return
      }
      let position =
        open.first { procedures[$0].opCode == named } ?? open.first { procedures[$0].opCode != .abort } ?? first
      procedures[position].resultNamesOther = procedures[position].opCode != named
      end(position, Self.outcome(code), index, pdu.time)
    case nil:
      let position = open.first { procedures[$0].opCode != .abort } ?? first
      end(position, .malformedResult, index, pdu.time)
    }
  }

  /// Whose result it is that comes while a request waits for its Write Response and nothing runs.
  private enum Owner { case request, earlier, undecided }

  /// A second result of an earlier request may cross the next request in the air. In the sensor's own direction it stands
  /// before the Write Response either way (field rules 0.2): it is the request's own only where no other result follows
  /// that response, and where it does not name the earlier request.
  private mutating func owner(of index: Int, _ position: Int, _ history: borrowing LinkHistory) -> Owner {
    let request = procedures[position].request
    let answers = self.answers[request] ?? RequestAnswers(procedures[position], history)
    self.answers[request] = answers
    if answers.isRefused { return .earlier }
    if answers.lastResult.map({ $0 > UInt32(index) }) ?? false, answers.isAccepted { return .earlier }
    let pdu = history.pdus[index]
    let earlier = procedures.suffix(Self.openLimit).last {
      $0.result != nil && $0.controlPoint == pdu.handle && $0.server == pdu.server
    }
    guard let earlier, let result = earlier.result else { return .request }
    // It says itself that it is not the request's.
    if let named = named(pdu, earlier.dialect, history), named == earlier.opCode, named != procedures[position].opCode {
      return answers.isAccepted ? .earlier : answers.isOver ? .request : .undecided
    }
    guard history.value(history.pdus[Int(result)]).copied() == history.value(pdu).copied() else { return .request }
    // Where the end of the link is not seen the rest may still come.
    return answers.isOver ? .request : .undecided
  }

  /// The op code of the request that a result says it answers.
  private func named(
    _ pdu: AttributePDU,
    _ dialect: RecordAccessDialect,
    _ history: borrowing LinkHistory
  ) -> RecordAccessOpCode? {
    switch RecordAccessResponse(decoding: history.value(pdu), dialect: dialect).content {
    case .count: .count
    case .outcome(let named, _): named
    case nil: nil
    }
  }

  /// A result that names a request that waits for its Write Response, and none that runs, is that request's.
  private mutating func startNamed(_ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    guard let sample = waiting.first(where: { isAt($0, pdu.handle, pdu.server) }),
      case .outcome(let named, _) =
        RecordAccessResponse(decoding: history.value(pdu), dialect: procedures[sample].dialect).content,
      !running.contains(where: { isAt($0, pdu.handle, pdu.server) && procedures[$0].opCode == named }),
      let place = waiting.firstIndex(where: { isAt($0, pdu.handle, pdu.server) && procedures[$0].opCode == named })
    else { return }
    startEarly(waiting: place, pdu.time)
  }
}
