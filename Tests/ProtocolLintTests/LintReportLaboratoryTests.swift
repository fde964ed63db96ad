import CaptureFiles
import LinkTrace
import ProtocolLint
import Testing

@testable import Reporting

/// What `lint` itself reports, which looks at links of health devices alone.
private func reported(_ path: String) throws -> [LintCapture] {
  try captures(in: path).map { source in
    let run = try CaptureRun([source], memory: TraceMemory(), progress: .silent) { LintReport(LintOptions()) }
    return run.report.capture(run.facts, files: [source.name], baseline: nil)
  }
}

@Test func `the report of a laboratory recording says what the rules say of its links`() throws {
  let recordings = Laboratory.recordings
  guard !recordings.isEmpty else { return print("skipped: no laboratory; set RACPSCOPE_LAB to run this test") }
  for recording in recordings {
    let found = try reported(Surroundings.laboratory + "/" + recording).flatMap(\.findings).map(\.finding.finding)
    let conduct = Set(found.filter { $0.rule.area != "CAP" }.map { Accusation($0) })
    #expect(conduct == Set(Laboratory.expected[recording] ?? []), "\(recording)")
  }
}

@Test func `the report accuses nobody in the public captures`() throws {
  let folder = Surroundings.laboratory + "/../corpus/captures"
  let names = Surroundings.names(in: folder)
  guard !names.isEmpty else { return print("skipped: no public captures beside the laboratory") }
  for name in names {
    guard let captures = try? reported(folder + "/" + name) else { continue }
    for capture in captures {
      let found = capture.findings.map(\.finding.finding)
      for finding in found { print("\(name): \(finding.rule) \(finding.level.name) \(finding.message)") }
      #expect(found.allSatisfy { $0.level == .note }, "\(name)")
    }
  }
}
