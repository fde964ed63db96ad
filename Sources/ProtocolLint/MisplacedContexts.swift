import BluetoothWire
import LinkTrace

/// What the two rules about contexts that stand wrongly share: one finding for each report.
enum MisplacedContexts {
  static func check(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    _ rule: RuleIdentifier,
    _ odd: OddRecords,
    message: String,
    evidence: String
  ) -> RuleOutcome {
    guard subject.records.contexts > 0 else { return .notApplicable }
    var cases: [(procedure: Int?, records: OddRecords)] = []
    var isDoubtful = false
    for place in odd.places {
      let procedure = history.procedure(before: place)
      if procedure.map({ isMixed($0, history, subject) }) ?? (history.start == nil) {
        isDoubtful = true
      } else if let known = cases.firstIndex(where: { $0.procedure == procedure }) {
        cases[known].records.add(place)
      } else {
        var records = OddRecords()
        records.add(place)
        cases.append((procedure, records))
      }
    }
    if cases.isEmpty { return isDoubtful ? .inconclusive("records of several procedures may be mixed") : .pass }
    return .fail(
      cases.map { procedure, records in
        let isMost = records.places.count == odd.places.count && odd.count > records.count
        let count = isMost ? "\(odd.count) contexts" : countText(records.count, "context")
        let isHole = records.count == 1 && lacksMeasurement(records.places[0], procedure, history)
        var finding = Finding.ofRecords(
          rule,
          isHole ? .warning : .error,
          isHole ? .likely : .certain,
          records,
          key: "context",
          message: "sent \(count) \(message)" + (procedure.map { " in \(subject.quoted($0))" } ?? ""),
          evidence: [evidence] + (isHole ? ["no measurement of its number came: the logger may have missed it"] : []),
          history
        )
        finding.procedure = procedure
        return finding
      }
    )
  }

  /// True where the measurement that a context belongs to did not come, and the numbers jump there.
  private static func lacksMeasurement(_ place: UInt32, _ procedure: Int?, _ history: borrowing LinkHistory) -> Bool {
    let pdu = history.pdus[Int(place)]
    guard let procedure, pdu.valueCount >= 3 else { return false }
    return !history.procedures[procedure].sequences.contains(UInt32(history.value(pdu).u16(at: 1)))
  }

  /// True where records of two procedures may come in turn.
  private static func isMixed(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    if !subject.standings[index].isClear { return true }
    let earlier = history.procedures[..<index].indices.suffix(4)
    return earlier.contains { subject.standings[$0].isOverlapping && subject.standings[index].followsUnfinished }
  }
}
