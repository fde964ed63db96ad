/// One root cause, one finding: what a finding explains stands under it (field rules 0.3).
///
/// A consequence of a consequence stands under the root of both. Where two findings explain a third, the one about the
/// same procedure has it, else the earlier one. The order of the candidates decides nothing but the order of the result.
enum RootCauses {
  /// A finding and the rules whose findings its own rule explains.
  struct Candidate: Sendable {
    var finding: Finding
    var explains: [RuleIdentifier]
  }

  static func settle(_ found: [Candidate]) -> [Finding] {
    guard found.count > 1 else { return found.map(\.finding) }
    var explaining: [RuleIdentifier: [Int]] = [:]
    for index in found.indices where found[index].finding.isRootCause {
      for rule in Set(found[index].explains) { explaining[rule, default: []].append(index) }
    }
    let parents = found.indices.map { parent(of: $0, explaining[found[$0].finding.rule] ?? [], found) }
    let roots = found.indices.map { root(of: $0, parents, found) }
    var consequences = found.map(\.finding)
    for index in found.indices where roots[index] != index {
      add(found[index].finding.rule, to: &consequences[roots[index]])
    }
    return found.indices.filter { roots[$0] == $0 }.map { index in
      var finding = consequences[index]
      finding.consequences.sort { $0.rule.description < $1.rule.description }
      return finding
    }
  }

  private static func add(_ rule: RuleIdentifier, to finding: inout Finding) {
    if let known = finding.consequences.firstIndex(where: { $0.rule == rule }) {
      finding.consequences[known].count += 1
    } else {
      finding.consequences.append(Finding.Consequence(rule: rule, count: 1))
    }
  }

  /// - Parameter explaining: those that explain its rule, in order.
  private static func parent(of index: Int, _ explaining: [Int], _ found: [Candidate]) -> Int? {
    let finding = found[index].finding
    let candidates = explaining.filter { $0 != index && found[$0].finding.touches(finding) }
    return candidates.min { left, right in
      let isLeftClose = found[left].finding.sharesProcedure(with: finding)
      let isRightClose = found[right].finding.sharesProcedure(with: finding)
      return isLeftClose == isRightClose ? isBefore(found[left].finding, found[right].finding) : isLeftClose
    }
  }

  /// Follows the explanations up; a circle of them has its earliest finding as root.
  private static func root(of index: Int, _ parents: [Int?], _ found: [Candidate]) -> Int {
    var path = [index]
    while let next = parents[path[path.count - 1]] {
      if let start = path.firstIndex(of: next) {
        return path[start...].min { isBefore(found[$0].finding, found[$1].finding) } ?? index
      }
      path.append(next)
    }
    return path[path.count - 1]
  }

  private static func isBefore(_ left: Finding, _ right: Finding) -> Bool {
    let leftFrame = left.frames.first ?? 0
    let rightFrame = right.frames.first ?? 0
    return leftFrame == rightFrame ? left.rule.description < right.rule.description : leftFrame < rightFrame
  }
}
