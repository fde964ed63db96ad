import HealthProfiles
import LinkTrace

/// A finished report and the count of the same records before it.
struct CountedRecords {
  /// What the sensor counted, and the procedure that did.
  var counted: UInt32
  var count: Int
  /// Distinct measurements that came.
  var delivered: UInt32

  /// Why a report may differ from its count without the capture showing it; nil where none does.
  static func doubt(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> String? {
    var reason: String?
    for index in history.procedures.indices {
      if isDoubtful(index, history, subject) {
        return "the count, or what came after the result, is not in the capture"
      }
      let report = history.procedures[index]
      if report.opCode == .report, report.dialect == .health, let result = report.result,
        subject.surroundings[index].followsCount, !subject.wantsRecords(of: index, until: result, history)
      {
        reason = "the collector turned the records off before the report was over"
      }
    }
    return reason
  }

  /// True where what the capture shows does not settle whether a report and a count agree.
  private static func isDoubtful(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    let report = history.procedures[index]
    guard report.opCode == .report, report.dialect == .health else { return false }
    let hasCount = subject.surroundings[index].followsCount
    if report.outcome == .running || report.outcome == .captureEnded { return hasCount }
    guard report.outcome == .success, report.records > 0 else { return false }
    // Records whose numbers the logger cut away, or that nothing names as measurements, cannot be counted.
    if hasCount && report.sequences.count == 0 { return true }
    let isOver = isOver(index, history, subject)
    return !subject.standings[index].isClear || (hasCount && !isOver) || (!hasCount && history.start == nil)
  }

  /// True where no more records of a report are to be expected: its result was taken, or something else followed.
  private static func isOver(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    if subject.standings[index].isSettled { return true }
    return history.end.cause != .open && history.procedures[index].confirmation != nil
  }

  /// Nil where the report cannot be compared with a count: it is not over, its records may be mixed with others, or no
  /// count of the same operand came before it on the link.
  init?(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) {
    let report = history.procedures[index]
    guard report.opCode == .report, report.dialect == .health, report.outcome == .success,
      subject.standings[index].isClear, Self.isOver(index, history, subject), report.records > 0,
      report.trailingRecords == 0, report.sequences.count > 0,
      subject.wantsRecords(of: index, until: report.result ?? .max, history)
    else { return nil }
    // A delete in between makes a count out of date.
    guard let other = subject.surroundings[index].count, case .count(let number) = history.procedures[other].outcome
    else { return nil }
    counted = number
    count = other
    delivered = UInt32(clamping: report.sequences.count)
  }
}
