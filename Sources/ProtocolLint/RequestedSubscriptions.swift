import BluetoothWire
import HealthProfiles
import LinkTrace

/// The configurations a request needs, and which of them were off when it was sent.
struct RequestedSubscriptions {
  /// Characteristics whose configuration is known to be off.
  var off: [AttributeRole] = []
  /// True where one of them is not known.
  var isUnknown = false
  private let reports: Bool

  init(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) {
    let procedure = history.procedures[index]
    reports = procedure.opCode == .report
    var needed: [AttributeRole] = [.recordAccess]
    if subject.isGlucose {
      needed.append(.glucoseMeasurement)
    }
    if subject.hasContext {
      needed.append(.glucoseContext)
    } else if history.start == nil {
      // What was discovered before the capture may hold more.
      isUnknown = true
    }
    for role in needed {
      switch subject.subscriptions.state(of: role, at: procedure.request) {
      case .on: continue
      case .off: off.append(role)
      case .unknown: isUnknown = true
      }
    }
  }

  /// What the profile makes of it: a request that sends no records needs the control point's indications only.
  var isBlocking: Bool { off.contains(.recordAccess) || (reports && !off.isEmpty) }

  /// `control point, measurement and context`.
  var text: String {
    let names = off.map { role in
      switch role {
      case .recordAccess: "control point"
      case .glucoseMeasurement: "measurement"
      default: "context"
      }
    }
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// True for the two codes that say a configuration is missing (GLS 1.7).
  static func isRefusal(_ outcome: Procedure.Outcome) -> Bool {
    guard case .refused(let error) = outcome else { return false }
    return error.rawValue == 0x81 || error.rawValue == 0xFD
  }

  /// True where the sensor carried the request out.
  static func isAccepted(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    guard let answer = procedure.answer else { return false }
    return history.pdus[Int(answer)].opcode == .writeResponse
  }
}
