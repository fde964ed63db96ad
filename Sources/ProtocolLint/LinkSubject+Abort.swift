import HealthProfiles
import LinkTrace

extension LinkSubject {
  /// True for an abort without a result that was sent when nothing ran any more, behind a request whose result had
  /// never come or may never have come: the sensor owes both for one reason, and nothing runs that a request would meet.
  func isAbortOfExpired(_ index: Int, _ history: borrowing LinkHistory) -> Bool {
    let abort = history.procedures[index]
    if !facts.contains(.whole) {
      // Of clipped packets nothing tells which result is whose, nor whether a request is an abort.
      switch abort.opCode {
      case .abort, .unknown: return true
      default: return false
      }
    }
    guard abort.opCode == .abort, abort.result == nil, abort.overlaps == nil else { return false }
    if !standings[index].isAlone { return true }
    return surroundings[index].followsUnanswered
  }
}
