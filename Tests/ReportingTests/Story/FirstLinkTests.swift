import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// A first link on which nothing shows what the device is belongs to it all the same where another link does.
@Suite struct FirstLinkTests {
  private static let fetch: [Step] = [
    .connect(), .encrypt(), .discoverGlucose, .subscribe(), .ask(answer: 30), .report(.all), .accept, .records(1...8),
    .abort, .accept, .result(.abort, .success), .confirm, .delete(.all), .accept, .result(.delete, .success), .confirm,
    .farewell,
  ]
  private static let pairing: [Step] = [.connect(), .exchangeMTU(185), .pair(), .farewell, .later(minutes: 1)]

  /// What `show` and what `lint` make of a scene.
  private static func reports(
    _ steps: [Step],
    _ side: Party
  ) throws -> (story: StoryReport, lint: LintCapture, text: String) {
    let octets = Scenario("first-link", steps).capture(Rendering(side: side))
    let sources = try captures(in: .memory(octets, name: "capture"))
    let run = try CaptureRun(sources, memory: TraceMemory(), progress: .silent) { StoryReport(StoryOptions()) }
    let lint = try LintStory(sources, memory: TraceMemory(), options: LintOptions()).capture
    return (run.report.judged(), lint, try StoryText.of(octets))
  }

  private static func findings(_ lint: LintCapture) -> [String] {
    lint.findings.map { "\($0.finding.finding.level.name) \($0.finding.finding.rule)" }
  }

  @Test(arguments: Party.allCases)
  func bothReportsTakeIt(side: Party) throws {
    let (story, lint, text) = try Self.reports(Self.pairing + Self.fetch, side)
    #expect(story.otherLinks == 0)
    #expect(story.devices.map(\.linkCount) == [2])
    #expect(story.devices.map(\.findingCounts) == [[0, 0, 1]])
    #expect(Self.findings(lint) == ["error RACP-019"])
    #expect(lint.devices.map(\.linkCount) == [2])
    #expect(!text.contains("its pairing is not in the capture"))
    #expect(text.contains("nothing named"))
  }

  @Test(arguments: Party.allCases)
  func whatThePairingBeganWithIsKnown(side: Party) throws {
    let steps: [Step] = [.connect(), .encrypt(), .discoverGlucose, .report(.all), .refuse(error: 0x81), .farewell]
    let (story, lint, text) = try Self.reports(Self.pairing + steps, side)
    #expect(Self.findings(lint) == ["error GATT-003"])
    #expect(story.devices.map(\.findingCounts) == [[0, 0, 1]])
    #expect(!text.contains("whether notifications and indications were on"))
  }

  @Test(arguments: Party.allCases)
  func aGadgetStaysOut(side: Party) throws {
    let (story, lint, _) = try Self.reports(Self.pairing + Self.pairing, side)
    #expect(story.otherLinks == 2 && story.devices.isEmpty)
    #expect(lint.devices.isEmpty)
  }

  @Test func aMeterMakesNoMetersOfTheOtherDevicesOfAPhone() throws {
    var gadget = Meter()
    gadget.address = DeviceAddress(value: 0xF00D_CAFE_0009, isRandom: true)
    let other: [Step] = [
      .selectMeter(gadget), .connect(), .pair(failure: 0x05), .farewell, .later(minutes: 1), .selectMeter(Meter()),
    ]
    let (story, lint, _) = try Self.reports(other + Self.pairing + Self.fetch, .collector)
    #expect(story.otherLinks == 1)
    #expect(Self.findings(lint) == ["error RACP-019"])
  }

  @Test func theHostOfAPeripheralIsToldWhereSomethingWentWrong() throws {
    let steps: [Step] = [.connect(), .exchangeMTU(185), .pair(failure: 0x05), .farewell]
    let (story, lint, _) = try Self.reports(steps, .sensor)
    #expect(Self.findings(lint) == ["warning SEC-005"])
    #expect(story.devices.map(\.findingCounts) == [[0, 1, 0]])
    #expect(story.devices.map(\.key.isLocal) == [true])
  }
}
