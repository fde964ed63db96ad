import HealthProfiles
import LinkTrace

/// Requests of the same octets that meet a rule in the same way: one finding with a count.
struct RequestCase {
  var octets: [UInt8]
  /// Indices of the procedures, in the order of their requests.
  var procedures: [Int]

  /// Groups procedures by the octets of their requests, each group where its first request stands.
  static func grouped(_ procedures: [Int], _ subject: borrowing LinkSubject) -> [RequestCase] {
    var cases: [RequestCase] = []
    for index in procedures {
      let octets = subject.requests[index].octets
      if let known = cases.firstIndex(where: { $0.octets == octets }) {
        cases[known].procedures.append(index)
      } else if cases.count < 64 {
        cases.append(RequestCase(octets: octets, procedures: [index]))
      }
    }
    return cases
  }
}
