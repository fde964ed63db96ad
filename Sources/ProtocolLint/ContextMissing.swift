import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-011: a measurement announces a context that does not come.
public struct ContextMissing: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-011",
    name: "context-missing",
    summary: "the sensor announces a context with a measurement and sends the next record or the result instead",
    rationale: """
      Meals, medication and health stand in the context. A collector that waits for it stalls, and one that goes on \
      stores a reading without what the user entered for it.
      """,
    remedy: """
      Sensor: set flag bit 4 only where the context follows, and queue it directly behind its measurement.
      """,
    clause: "GLS 3.1.1.1, GLS 3.4.1 (S8)",
    needs: [.bothDirections, .noLoss],
    hole: """
      A single context that the logger missed looks like one that the sensor left out: a finding about one is only \
      likely. Look for a second one, or record again.
      """
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the context of record 4 is left out, that of record 8 comes",
        "context-left-out",
        [
          .firstArrival, .report(.all), .accept, .records(1...3),
          .marked(.measurement(Meter().measurement(4, withOffset: false))), .records(5...9),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "contexts are announced, and the sensor has no characteristic for them",
        "no-context-characteristic",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
          .discoverGlucoseCharacteristicsWithoutContext, .subscribe([.measurement, .recordAccess]), .report(.all),
          .accept, .records(1...3),
          .marked(.measurement(Meter().measurement(4, withOffset: false))), .records(5...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each context directly behind its measurement",
        "contexts-follow",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      ),
      RuleExample(
        "contexts are turned off while the report runs",
        "contexts-turned-off",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .subscribe([.context], isOn: false),
          .records(5...7), .measurement(Meter().measurement(8, withOffset: false)), .record(9),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        "no context is announced",
        "no-contexts",
        [.firstArrival, .fetch(.all, 1...3), .farewell]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.procedures.contains(where: { $0.records > 0 && $0.dialect == .health }), let sensor = history.sensor
    else { return .notApplicable }
    let isNamed = history.handles.contains { $0.role == .glucoseContext && $0.server == sensor }
    let isLacking = !isNamed && !subject.records.withoutContext.isEmpty
    let absence = isLacking ? discoveryWithoutContext(sensor, history, subject) : nil
    var cases: [(procedure: Int, pairs: [AttributeExchanges.Pair])] = []
    var reason: String?
    for pair in subject.records.withoutContext {
      guard let index = procedure(of: pair.earlier, history) else { continue }
      let standing = subject.standings[index]
      if standing.isOverlapping { continue }
      if !standing.isAlone {
        reason = "records of a procedure that began before the capture may be mixed in"
        continue
      }
      if history.procedures[index].result == nil {
        // Contexts that come behind all records are misplaced, and not left out.
        reason = "the report is not over"
        continue
      }
      let isResult = history.pdus[Int(pair.later)].opcode == .indication
      let wasAborted = standing.isAborted && pair.later > (history.procedures[index].lastRecord ?? 0)
      if wasAborted || (isResult && !standing.isSettled) { continue }
      let request = history.procedures[index].request
      // Whether contexts are on counts where this one would have to be sent.
      if !subject.subscriptions.staysOn(.glucoseContext, from: request, until: pair.later) { continue }
      let isOn =
        subject.subscriptions.isOn(.glucoseContext, at: request)
        && (isNamed || history.database(sensor).value(0x2A34) != nil)
      guard isOn || absence != nil else {
        if subject.subscriptions.state(of: .glucoseContext, at: request) != .off {
          reason = "the capture does not show whether contexts were turned on"
        }
        continue
      }
      if let known = cases.firstIndex(where: { $0.procedure == index }) {
        cases[known].pairs.append(pair)
      } else {
        cases.append((index, [pair]))
      }
    }
    if cases.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(cases.map { finding($0.procedure, $0.pairs, absence, history, subject) })
  }

  /// The frame in which the discovery of the glucose service came to its end without a context characteristic; nil where
  /// there is one, or may be.
  private func discoveryWithoutContext(
    _ sensor: Side,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> UInt32? {
    let table = history.database(sensor)
    var end: UInt32?
    for service in table.discoveredServices(0x1808) {
      guard !table.characteristics(of: service).contains(where: { $0.type == BluetoothUUID(0x2A34) }),
        let answer = subject.survey.endOfCharacteristics(of: service)
      else { return nil }
      end = history.frame(answer)
    }
    return end
  }

  /// The report a measurement came in.
  private func procedure(of record: UInt32, _ history: borrowing LinkHistory) -> Int? {
    history.procedures.firstIndex {
      guard let first = $0.firstRecord, let last = $0.lastRecord else { return false }
      return first <= record && record <= last && $0.dialect == .health
    }
  }

  private func finding(
    _ index: Int,
    _ pairs: [AttributeExchanges.Pair],
    _ absence: UInt32?,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let record = history.pdus[Int(pairs[0].earlier)]
    let next = history.pdus[Int(pairs[0].later)]
    let number = record.valueCount >= 3 ? "record \(history.value(record).u16(at: 1))" : "a record"
    let instead = next.opcode == .indication ? "the result" : "the next record"
    return Finding(
      "SEQ-011",
      .error,
      .sensor,
      // A single packet that the logger missed looks the same.
      pairs.count > 1 ? .certain : .likely,
      link: history.number,
      procedure: index,
      frames: pairs.map { history.frame($0.earlier) } + [next.frame] + (absence.map { [$0] } ?? []),
      time: record.time,
      key: hex(subject.requests[index].octets),
      message: "left out \(countText(pairs.count, "announced context")) in \(subject.quoted(index)), "
        + "the first that of \(number)",
      evidence: [
        "flag bit 4 is set in frame \(record.frame); \(instead) came in frame \(next.frame)",
        absence.map { "the sensor has no context characteristic: its discovery ended in frame \($0)" }
          ?? "\(countText(Int(history.procedures[index].contexts), "context")) came in this report",
      ]
    )
  }
}
