/// The service that a control point stands in: a request brings records of that service alone.
struct ControlPointHome: Sendable {
  var controlPoint: UInt16
  var server: Side
  /// Nil where no discovery tells.
  private var members: ClosedRange<UInt16>?
  /// True where glucose records may come from it.
  private(set) var holdsGlucose = true

  init(_ controlPoint: UInt16, _ server: Side, _ history: borrowing LinkHistory) {
    self.controlPoint = controlPoint
    self.server = server
    guard let service = history.database(server).service(of: controlPoint), service.provenance == .discovered,
      service.groupEnd >= service.handle
    else { return }
    let members = service.handle...service.groupEnd
    self.members = members
    var isElsewhere = false
    for traffic in history.handles where traffic.server == server && traffic.role == .glucoseMeasurement {
      if members.contains(traffic.handle) { return }
      isElsewhere = true
    }
    holdsGlucose = !isElsewhere
  }

  /// False for an attribute that stands in another service.
  func mayHold(_ handle: UInt16) -> Bool { members?.contains(handle) ?? true }
}
