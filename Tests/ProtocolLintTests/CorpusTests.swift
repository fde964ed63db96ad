import CaptureFiles
import ProtocolLint
import Testing

/// Captures that strangers made of real devices; none of them holds a broken record transfer.
@Test func `nobody is accused in the public captures`() throws {
  let folder = Surroundings.laboratory + "/../corpus/captures"
  let names = Surroundings.names(in: folder)
  guard !names.isEmpty else { return print("skipped: no public captures beside the laboratory") }
  var judged = 0
  var refused: [String] = []
  for name in names {
    guard let judgement = try? Judgement(.path(folder + "/" + name), lookingEvery: 500) else {
      refused.append(name)
      continue
    }
    judged += 1
    for finding in judgement.findings where finding.level > .note {
      print("\(name): \(finding.rule) \(finding.message)")
    }
    #expect(judgement.findings.allSatisfy { $0.level == .note }, "\(name)")
    #expect(judgement.hasty == nil, "\(name)")
  }
  print("judged \(judged) public captures; \(refused.count) are of kinds that are not read")
  #expect(judged > refused.count)
}
