import CaptureFiles
import LinkTrace
import ProtocolLint
import ReferenceCaptures
import Testing

@testable import Reporting

/// What `lint` itself reports, which looks at links of health devices alone.
private func reported(_ path: String) throws -> [LintCapture] {
  try captures(in: path).map { source in
    let run = try CaptureRun([source], memory: TraceMemory(), progress: .silent) { LintReport(LintOptions()) }
    return run.report.capture(run.facts, files: [source.name], baseline: nil)
  }
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `the report of a laboratory recording says what the rules say of its links`() throws {
  #expect(!Laboratory.recordings.isEmpty)
  for recording in Laboratory.recordings {
    let found = try reported(Folder.laboratory.path(recording)).flatMap(\.findings).map(\.finding.finding)
    let conduct = Set(found.filter { $0.rule.area != "CAP" }.map { Accusation($0) })
    #expect(conduct == Set(Laboratory.expected[recording] ?? []), "\(recording)")
  }
}

@Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
func `the report accuses nobody in the public captures`() throws {
  let folder = Folder.corpus.folder("captures")
  var judged = 0
  for name in folder.names() {
    guard let captures = try? reported(folder.path(name)) else { continue }
    judged += 1
    for capture in captures {
      let found = capture.findings.map(\.finding.finding)
      for finding in found { print("\(name): \(finding.rule) \(finding.level.name) \(finding.message)") }
      #expect(found.allSatisfy { $0.level == .note }, "\(name)")
    }
  }
  #expect(judged > 0)
}
