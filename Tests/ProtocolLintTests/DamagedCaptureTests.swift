import CaptureFiles
import HealthProfiles
import ProtocolLint
import Scenarios
import Testing

private let whole = Scenario("whole", [.firstArrival, .fetch(.all, 1...3), .farewell]).capture()

@Test func `a file that ends within a record is told of`() throws {
  let cut = try Judgement(.memory(Array(whole.dropLast(3)), name: "cut"))
  let found = cut.findings(of: "CAP-009")
  #expect(found.map(\.level) == [.note])
  #expect(found.first?.link == 0 && found.first?.fault == .capture)
  #expect(try Judgement(.memory(whole, name: "whole")).passed.contains("CAP-009"))
}

@Test func `an impossible length is an error of the capture`() throws {
  var damaged = whole
  // The included length of the first record, behind the header of 16 octets and the original length.
  for offset in 20..<24 { damaged[offset] = 0x7F }
  let judged = try Judgement(.memory(damaged, name: "damaged"))
  let found = judged.findings(of: "CAP-009")
  #expect(found.map(\.level) == [.error])
  #expect(found.first?.message.contains("impossible length") == true)
}

@Test func `a clock that jitters is no oddity`() throws {
  let steps: [Step] = [.firstArrival, .wait(milliseconds: -500), .fetch(.all, 1...3), .farewell]
  let judged = try Judgement(Scenario("jitter", steps))
  #expect(judged.findings(of: "CAP-006").isEmpty)
  #expect(judged.passed.contains("CAP-006"))
}

@Test func `a rule about the capture finds fault with each of its failing notes`() {
  for rule in RuleRegistry.captureRules {
    for note in rule.failingNotes {
      guard case .fail(let findings) = rule.check(CaptureSubject(notes: [note], frames: 20)) else {
        Issue.record("\(rule.description.identifier) passes \(note.kind.rawValue)")
        continue
      }
      #expect(findings.map(\.rule) == [rule.description.identifier])
      #expect(findings.map(\.fault) == [.capture])
    }
  }
}
