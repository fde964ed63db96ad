import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@Test func `a pairing that failed before the device was known is judged in a second pass`() throws {
  let scenario = Scenario(
    "late",
    [
      .connect(), .pair(failure: 0x04), .disconnect(), .later(minutes: 1), .firstArrival, .fetch(.all, 1...6),
      .farewell,
    ]
  )
  var tracker = LinkTracker()
  var reader = try CaptureReader.open(.memory(scenario.capture(), name: scenario.name))
  while let frame = reader.next() { _ = tracker.follow(frame, reader.bytes(of: frame)) }
  tracker.finish()
  while tracker.takeEnded() != nil {}
  #expect(tracker.memory.learnedLate)
  var memory = tracker.memory
  memory.startSecondPass()
  let judged = try Judgement(.memory(scenario.capture(), name: scenario.name), memory: memory)
  #expect(judged.findings.map(\.rule) == ["SEC-005"])
}
