import BluetoothWire
import HealthProfiles

extension ProcedureReader {
  /// Takes a result: the procedure that it ends is the one it names, among those that run.
  mutating func result(_ index: Int, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    if !running.contains(where: { isAt($0, pdu.handle, pdu.server) }),
      let place = waiting.firstIndex(where: { isAt($0, pdu.handle, pdu.server) })
    {
      startEarly(waiting: place, pdu.time)
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
        endAborted(pdu, index)
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
        if code == .success { endAborted(pdu, index) }
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
