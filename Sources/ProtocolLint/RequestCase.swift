import HealthProfiles
import LinkTrace

/// Requests of the same octets to one control point that meet a rule in the same way: one finding with a count.
struct RequestCase {
  /// Where they went; nil where cases are not told apart by it.
  private var controlPoint: UInt16?
  var octets: [UInt8]
  /// Indices of the procedures, in the order of their requests.
  var procedures: [Int]

  init(octets: [UInt8], procedures: [Int]) {
    self.octets = octets
    self.procedures = procedures
  }

  /// Groups procedures by their control points and the octets of their requests, each group where its first request stands.
  static func grouped(_ procedures: [Int], _ subject: borrowing LinkSubject) -> [RequestCase] {
    var cases: [RequestCase] = []
    for index in procedures {
      let octets = subject.requests[index].octets
      let controlPoint = subject.controlPoints[index]
      if let known = cases.firstIndex(where: { $0.octets == octets && $0.controlPoint == controlPoint }) {
        cases[known].procedures.append(index)
      } else if cases.count < 64 {
        var first = RequestCase(octets: octets, procedures: [index])
        first.controlPoint = controlPoint
        cases.append(first)
      }
    }
    return cases
  }
}
