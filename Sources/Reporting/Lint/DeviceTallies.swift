/// What the rules said of one device, by their positions in the report.
///
/// Nearly all rules pass on nearly every link: an octet a rule for those, and a place for each that said anything else or
/// passed more often than an octet holds, so that thousands of devices stay small.
struct DeviceTallies: Sendable {
  private var passed: [UInt8]
  private var others: [(position: Int, tally: RuleTally.Counts)] = []

  init(ruleCount: Int) { passed = [UInt8](repeating: 0, count: ruleCount) }

  mutating func addPass(_ position: Int) {
    passed[position] &+= 1
    if passed[position] == 0 { change(position) { $0.passed += Int(UInt8.max) + 1 } }
  }

  mutating func addFailure(_ position: Int) { change(position) { $0.failed += 1 } }

  mutating func addExplained(_ position: Int, count: Int) { change(position) { $0.explained += count } }

  mutating func add(_ reason: String, _ position: Int) { change(position) { $0.add(reason) } }

  /// Takes back that a rule could not judge one of the links.
  mutating func withdrawReason(_ position: Int) { change(position) { $0.withdrawReason() } }

  /// Adds what stands here to the tallies of a capture, which are in the order of the positions.
  func add(to tallies: inout [RuleTally]) {
    for (position, count) in passed.enumerated() { tallies[position].counts.passed += Int(count) }
    for other in others { tallies[other.position].counts.add(other.tally) }
  }

  private mutating func change(_ position: Int, _ body: (inout RuleTally.Counts) -> Void) {
    let place = others.firstIndex { $0.position == position } ?? others.count
    if place == others.count { others.append((position, RuleTally.Counts())) }
    body(&others[place].tally)
  }
}
