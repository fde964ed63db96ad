import CaptureFiles
import ProtocolLint
import ReferenceCaptures
import Testing

/// Captures that strangers made of real devices; none of them holds a broken record transfer.
@Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
func `nobody is accused in the public captures`() throws {
  let folder = Folder.corpus.folder("captures")
  var judged = 0
  var refused: [String] = []
  for name in folder.names() {
    guard let judgement = try? Judgement(.path(folder.path(name)), lookingEvery: 500) else {
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
