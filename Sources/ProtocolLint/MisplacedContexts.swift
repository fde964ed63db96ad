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
    var isUnsent = false
    for place in odd.places {
      let procedure = history.procedure(before: place)
      if procedure.map({ mayBeUnsent(place, $0, history, subject) }) ?? false {
        isUnsent = true
      } else if procedure.map({ isMixed($0, history, subject) }) ?? (history.start == nil) {
        isDoubtful = true
      } else if let known = cases.firstIndex(where: { $0.procedure == procedure }) {
        cases[known].records.add(place)
      } else {
        var records = OddRecords()
        records.add(place)
        cases.append((procedure, records))
      }
    }
    if cases.isEmpty && isUnsent { return .inconclusive("measurements were turned off where theirs would have come") }
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

  /// True where the measurement that a context belongs to was not to be sent, as measurements were off (Core Vol 3 Part G
  /// 3.3.3.3), while contexts were not.
  private static func mayBeUnsent(
    _ place: UInt32,
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    let procedure = history.procedures[index]
    guard procedure.request < place, lacksMeasurement(place, index, history) else { return false }
    let members = procedure.members
    if !subject.subscriptions.isOn(.glucoseMeasurement, within: members, at: place) { return true }
    // Nearly always they are on all the while.
    let request = procedure.request
    guard subject.subscriptions.wasOff(.glucoseMeasurement, within: members, between: request, and: place, history)
    else { return false }
    let before = history.pdus[Int(request)..<Int(place)].lastIndex {
      $0.server == procedure.server && $0.isDelivery && history.role($0) == .glucoseMeasurement
    }
    let last = before.map { UInt32($0) } ?? request
    return subject.subscriptions.wasOff(.glucoseMeasurement, within: members, between: last, and: place, history)
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
