import BluetoothWire
import HealthProfiles
import LinkTrace

/// The configurations a request needs, and which of them were off when it was sent.
struct RequestedSubscriptions {
  /// Configurations of the sensor's characteristics.
  struct Places: OptionSet {
    let rawValue: UInt8

    static let controlPoint = Places(rawValue: 1)
    static let measurement = Places(rawValue: 2)
    static let context = Places(rawValue: 4)

    /// `control point, measurement and context`.
    var text: String {
      var names: [String] = []
      if contains(.controlPoint) { names.append("control point") }
      if contains(.measurement) { names.append("measurement") }
      if contains(.context) { names.append("context") }
      guard let last = names.last, names.count > 1 else { return names.joined() }
      return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// That they are off: `indications of the control point and notifications of the measurement are off`.
    var state: String {
      let notified = subtracting(.controlPoint)
      let kinds = [
        contains(.controlPoint) ? "indications of the control point" : nil,
        notified.isEmpty ? nil : "notifications of the " + notified.text,
      ]
      return kinds.compactMap { $0 }.joined(separator: " and ") + " are off"
    }
  }

  /// Those known to be off.
  var off: Places = []
  /// Those that the sensor does not have, so that nobody can turn them on.
  private(set) var missing: Places = []
  /// Those among `off` to which a bit was written that turns nothing on.
  private(set) var mistaken: Places = []
  /// True where one of them is not known.
  var isUnknown = false
  private let reports: Bool

  init(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) {
    let procedure = history.procedures[index]
    let request = procedure.request
    reports = procedure.opCode == .report
    let controlPoint = procedure.controlPoint...procedure.controlPoint
    add(.controlPoint, .recordAccess, within: controlPoint, request, subject)
    switch procedure.source {
    case .glucose:
      add(.measurement, .glucoseMeasurement, within: procedure.members, request, subject)
      if subject.hasContext {
        add(.context, .glucoseContext, within: procedure.members, request, subject)
      } else if history.start == nil {
        // What was discovered before the capture may hold more.
        isUnknown = true
      }
    case .continuousGlucose:
      let measurement = history.database(procedure.server).attributes.first {
        $0.kind == .value && $0.type == BluetoothUUID(0x2AA7) && procedure.members.contains($0.handle)
      }
      if let measurement {
        let place = measurement.handle...measurement.handle
        add(.measurement, .otherRecords, within: place, request, subject)
      } else {
        isUnknown = true
      }
    // What others need beside the control point is not told by the profile they belong to.
    case .other: break
    case .unknown: if subject.isGlucose { isUnknown = true }
    }
  }

  private mutating func add(
    _ place: Places,
    _ role: AttributeRole,
    within members: ClosedRange<UInt16>,
    _ request: UInt32,
    _ subject: borrowing LinkSubject
  ) {
    let state = subject.subscriptions.state(of: role, within: members, at: request)
    if state == .on { return }
    if subject.missingConfigurations.contains(role, within: members) {
      missing.insert(place)
    } else if state == .unknown {
      isUnknown = true
    } else {
      off.insert(place)
      if subject.subscriptions.mistake(of: role, within: members, before: request) != nil { mistaken.insert(place) }
    }
  }

  /// What the collector left off without having tried to turn it on.
  var neglected: Places { off.subtracting(mistaken) }

  /// True for a request to which nothing else was lacking than what another rule has: a configuration that the sensor does
  /// not have, or one with the wrong bit.
  static func isOnlyHindered(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    by cause: KeyPath<RequestedSubscriptions, Places>
  ) -> Bool {
    guard history.procedures[index].dialect == .health else { return false }
    let needed = RequestedSubscriptions(index, history, subject)
    return needed.neglected.isEmpty && !needed[keyPath: cause].isEmpty
  }

  /// What the profile makes of it: a request that sends no records needs the control point's indications only.
  var isBlocking: Bool { blocks(off.union(missing)) }

  /// The same of what was not tried.
  var isNeglectBlocking: Bool { blocks(neglected) }

  private func blocks(_ places: Places) -> Bool { places.contains(.controlPoint) || (reports && !places.isEmpty) }

  /// `control point, measurement and context`.
  var text: String { off.text }

  /// True for the two codes that say a configuration is missing (GLS 1.7).
  static func isRefusal(_ outcome: Procedure.Outcome) -> Bool {
    guard case .refused(let error) = outcome else { return false }
    return error.rawValue == 0x81 || error.rawValue == 0xFD
  }

  /// True where the sensor carried the request out.
  static func isAccepted(_ index: Int, _ history: borrowing LinkHistory) -> Bool {
    guard let answer = history.procedures[index].answer else { return false }
    return history.pdus[Int(answer)].opcode.saysWritten
  }

  /// What the two rules about requests without subscriptions share: one finding for each distinct request.
  ///
  /// - Parameters:
  ///   - concerns: whether a request is looked at.
  ///   - isWrong: whether what is off makes it one to report.
  static func check(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    concerns: (Int) -> Bool,
    isWrong: (Int, RequestedSubscriptions) -> Bool,
    finding: (RequestCase) -> Finding
  ) -> RuleOutcome {
    var wrong: [Int] = []
    var isJudged = false
    var isDoubtful = false
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      guard concerns(index) else { continue }
      isJudged = true
      let needed = RequestedSubscriptions(index, history, subject)
      if isWrong(index, needed) { wrong.append(index) } else if needed.isUnknown { isDoubtful = true }
    }
    guard isJudged else { return .notApplicable }
    if wrong.isEmpty {
      return isDoubtful
        ? .inconclusive(subject.subscriptions.doubt) : .pass
    }
    return .fail(RequestCase.grouped(wrong, subject).map(finding))
  }
}
