import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import Reporting
import Scenarios
import Testing

/// What the story says, and what it does not say.
@Suite struct StoryTests {
  @Test func everyScenarioFitsTheTerminal() throws {
    for entry in Scenario.catalogue {
      let story = try StoryText.of(entry.make().capture())
      for line in story.split(separator: "\n") {
        #expect(line.count <= 100, "\(entry.name): \(line)")
      }
    }
  }

  @Test func theServiceWithTheRecordsHasItsName() throws {
    let steps: [Step] = [
      .arrival, .pair(), .askForServices(), .tellServices([.init(0x0030, 0x0036, 0x181F)]),
      .askForServices(from: 0x0037), .noMoreServices(from: 0x0037), .askForCharacteristics(from: 0x0030, to: 0x0036),
      .tellCharacteristics([.init(0x0031, 0x10, 0x2AA7), .init(0x0034, 0x28, 0x2A52)]),
      .askForCharacteristics(from: 0x0036, to: 0x0036), .noMoreCharacteristics(from: 0x0036), .farewell,
    ]
    let story = try StoryText.of(Scenario("monitor", steps).capture())
    #expect(story.contains("discovered   Continuous Glucose Monitoring 0x0030–0x0036"))
    #expect(try StoryText.of("link-loss-resume").contains("Glucose 0x0019–0x0024"))
  }

  @Test func aLinkOnAnotherDaySaysWhich() throws {
    let story = try StoryText.of("counter-restarted")
    #expect(story.contains("link 1   central, hci0 handle 64   08:00:00.126 +"))
    #expect(story.contains("link 2   central, hci0 handle 64   2026-03-05 08:00:02.103 +"))
    let sameDay = try StoryText.of("full-refetch")
    #expect(!sameDay.contains("handle 64   2026-"))
  }

  @Test func theBeginningOfALinkThatTheLoggerCut() throws {
    let frames = Scenario("cut", [.firstArrival, .fetch(.all, 1...3), .farewell]).frames()
    var writer = CaptureWriter(format: .btsnoop(.uart))
    for frame in frames {
      let octets = Array(frame.octets.prefix(19))
      writer.write(kind: frame.kind, time: frame.time, octets: octets, originalLength: frame.octets.count)
    }
    let story = try StoryText.of(writer.finish())
    #expect(story.contains("F0:0D:CA:FE:00:01"))
    #expect(story.contains("parameters  cut by the logger"))
    #expect(!story.contains("the capture starts in its middle") && !story.contains("CAP-001"))
  }

  @Test func packetsWithoutATime() throws {
    let frames = Scenario("no-time", [.firstArrival, .fetch(.all, 1...3), .farewell]).frames()
    var writer = CaptureWriter(format: .btsnoop(.uart))
    for frame in frames { writer.write(kind: frame.kind, time: 0, octets: frame.octets) }
    let story = try StoryText.of(writer.finish())
    #expect(story.contains("no time stamp in frame 1"))
    #expect(!story.contains("#0)"))
  }

  @Test func numbersThatWereSkippedAreNamed() throws {
    let story = try StoryText.of("partial-then-skip")
    #expect(story.contains("13–30 were never asked for"))
    #expect(!story.contains("sequence 1–12 complete"))
  }

  @Test func oneNumberThatWasSkippedIsOne() throws {
    let steps: [Step] = [
      .firstArrival, .report(.all), .accept, .records(1...12), .linkLoss, .later(minutes: 1), .bondedArrival,
      .report(.atLeast(14)), .accept, .records(14...20), .result(.report, .success), .confirm, .farewell,
    ]
    let story = try StoryText.of(Scenario("one", steps).capture()).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(story.contains("13 was never asked for: a report broke off before it, and the next request began after it"))
  }

  @Test func aReportThatFailsIsNotOneThatBreaksOff() throws {
    let steps: [Step] = [
      .firstArrival, .report(.all), .accept, .result(.report, .opCodeNotSupported), .confirm, .farewell,
    ]
    let story = try StoryText.of(Scenario("failed", steps).capture())
    #expect(story.contains("missing     unknown: the last report failed, op code not supported"))
  }

  /// What does not fit its column stands clear of the next.
  @Test func longRequestsStandClear() throws {
    let time = DateTime(year: 2026, month: 1, day: 10, hours: 21, minutes: 0, seconds: 0)
    let steps: [Step] = [
      .firstArrival, .report(.since(time)), .accept, .record(30), .result(.report, .success), .confirm,
      .farewell,
    ]
    let story = try StoryText.of(Scenario("time", steps).capture())
    #expect(story.contains("(user-facing time)   1 record"))
  }

  @Test func aResumedReportLeavesNothingOpen() throws {
    let story = try StoryText.of("link-loss-resume")
    #expect(!story.contains("never asked for"))
    #expect(!story.contains("missing     unknown"))
    #expect(story.contains("sequence 1–30 complete"))
  }

  @Test func aCountThatWasNotReachedIsSaid() throws {
    let story = try StoryText.of("skipped-number")
    #expect(story.contains("30 stored, of which 1 did not come over"))
  }

  @Test func aCountThatIsTooHighTakesNothingAway() throws {
    let story = try StoryText.of(
      Scenario("count", [.firstArrival, .ask(answer: 31), .fetch(.all, 1...30), .farewell]).capture()
    )
    #expect(story.contains("31 counted, 30 delivered"))
    #expect(!story.contains("did not come over"))
  }

  @Test func recordsThatWereDeletedBeforeTheyCameAreCounted() throws {
    let story = try StoryText.of("delete-before-commit")
    #expect(story.contains("deleted     22 of the 30 records counted, before they had come over"))
    #expect(!story.contains("stored, of which"))
    #expect(!story.contains("sequence 1–8 complete   base"))
    let after = try StoryText.of(
      Scenario(
        "after",
        [
          .firstArrival, .ask(answer: 9), .fetch(.all, 1...9), .delete(.all), .accept, .result(.delete, .success),
          .confirm, .farewell,
        ]
      ).capture()
    )
    #expect(!after.contains("deleted     "))
    let uncounted = try StoryText.of(
      Scenario(
        "uncounted",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ).capture()
    )
    #expect(uncounted.contains("deleted     records that had not come over"))
    // What came on links before the capture is not known.
    let later = try StoryText.of(
      Scenario(
        "later",
        [
          .bondedArrival, .ask(answer: 30), .report(.atLeast(20)), .accept, .records(20...25), .abort, .accept,
          .result(.abort, .success), .confirm, .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ).capture()
    )
    #expect(!later.contains("deleted     "))
  }

  @Test func overlappingReportsAreCountedTogether() throws {
    let story = try StoryText.of("overlap-accepted")
    #expect(story.contains("mixed with racp 1"))
    #expect(story.contains("RACP-001"))
  }

  @Test func aRequestByWriteCommandIsSaidToBeOne() throws {
    #expect(try StoryText.of("write-command").contains("sent as a Write Command"))
  }

  @Test func manyLinksStayOnOneScreen() throws {
    let story = try StoryText.of(Scenario.manyLinks(200).capture())
    #expect(story.split(separator: "\n").count < 60)
    #expect(story.contains("200 links to 4 health devices"))
    let all = try StoryText.of(Scenario.manyLinks(200).capture()) { $0.all = true }
    #expect(all.split(separator: "\n").count > 1000)
  }

  @Test func aLostFragmentIsNotTheMetersFault() throws {
    let scenario = try #require(Scenario.named("first-sync"))
    var rendering = Rendering(format: .btsnoop(.uart))
    rendering.fragmentSize = 20
    var frames = scenario.frames(rendering)
    // The last continuation of a record in the middle of the report.
    let continuations = frames.indices.filter { index in
      frames[index].kind == .aclReceived && frames[index].octets.count > 1 && frames[index].octets[1] >> 4 & 3 == 1
    }
    frames.remove(at: continuations[continuations.count / 2])
    let story = try StoryText.of(Self.file(frames))
    #expect(!story.contains("nothing missing"))
    #expect(story.contains("fragments are missing"))
  }

  @Test func aResultAmongLostPacketsIsNotHeldAgainstTheCollector() throws {
    let scenario = try #require(Scenario.named("first-sync"))
    let whole = scenario.frames(Rendering(format: .btsnoop(.monitor)))
    var rendering = Rendering(format: .btsnoop(.monitor))
    let results = whole.indices.filter { index in
      whole[index].kind == .aclReceived && whole[index].octets.suffix(4).elementsEqual([6, 0, 1, 1])
    }
    rendering.lost = Set(results.map { $0 + 1 })
    let story = try StoryText.of(scenario.capture(rendering))
    #expect(results.count == 1)
    #expect(story.contains("its result may be among the packets the capture lost"))
    #expect(!story.contains("hung up before its result"))
  }

  @Test func aClockThatIsSetBackLeavesNoLength() throws {
    let scenario = try #require(Scenario.named("overlap-refused"))
    var frames = scenario.frames(Rendering(format: .btsnoop(.uart)))
    for index in frames.indices.suffix(frames.count / 3) { frames[index].time -= 3_600_000_000 }
    let story = try StoryText.of(Self.file(frames))
    #expect(story.contains("clock set back"))
    #expect(!story.contains(" -"))
  }

  @Test func recordsOfAProcedureThatBeganBeforeTheCaptureAreCounted() throws {
    let story = try StoryText.of("mid-connection-start")
    #expect(story.contains("outside any procedure of this capture, sequence"))
    #expect(story.contains("to a request that is not in the capture"))
  }

  @Test func ofALinkOrDeviceThatIsNotThereNothingIsTold() throws {
    let capture = try #require(Scenario.named("first-sync")).capture()
    #expect(try !StoryText.of(capture) { $0.link = 9 }.contains("F0:0D:CA:FE:00:01"))
    #expect(try !StoryText.of(capture) { $0.device = "nobody" }.contains("F0:0D:CA:FE:00:01"))
  }

  @Test func aBondedMeterIsKnownByItsAdvertising() throws {
    let story = try StoryText.of("bond-lost")
    #expect(story.contains("stored key refused: PIN or key missing"))
    #expect(!story.contains("not encrypted   with a stored key"))
  }

  private static func file(_ frames: [RenderedFrame]) -> [UInt8] {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    for frame in frames {
      writer.write(
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        octets: frame.octets,
        originalLength: frame.originalLength
      )
    }
    return writer.finish()
  }
}
