import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ReferenceCaptures
import Reporting
import Scenarios
import Testing

/// Which frames an extract holds.
@Suite struct ExtractTests {
  private static let laboratory = ["captures", "captures-collector"]
    .flatMap { Folder.laboratory.folder($0).paths(ending: ".btsnoop") }

  private func extract(_ capture: [UInt8], _ selection: ExtractSelection) throws -> CaptureExtract {
    try CaptureExtract(try captures(in: .memory(capture, name: "scenario")), selection)
  }

  @Test(arguments: Scenario.catalogue.map { $0.name })
  func everyLinkTellsTheSame(_ name: String) throws {
    let capture = try #require(Scenario.named(name)).capture()
    let story = try CaptureStory(capture)
    let extract = try extract(capture, .links(story.numbers))
    #expect(try CaptureStory(extract.octets).lines == story.lines)
    #expect(extract.shiftedMinutes == nil)
    #expect(extract.links == story.numbers.sorted())
  }

  /// Two PDUs that cross in a file without directions: one pair that is told apart and one that is not.
  @Test func whatCrossesWithoutDirectionTellsTheSame() throws {
    let write = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00, 0x01, 0x01])
    let long = LogicalLinkEncoding.frame(channel: 4, [0x12, 0x0D, 0x00] + [UInt8](repeating: 1, count: 10))
    let value: [UInt8] = [0x00, 1, 0, 0xE8, 0x07, 5, 17, 8, 0, 0]
    let unit = LogicalLinkEncoding.frame(channel: 4, [0x1B, 0x1B, 0x00] + value)
    for (sent, at) in [(write, 5), (long, 9)] {
      var frames = Scenario("crossing", [.firstArrival]).frames()
      var time = frames.last?.time ?? 0
      for (kind, isStart, octets) in [
        (.aclReceived, true, Array(unit[..<9])), (.aclSent, true, Array(sent[..<at])),
        (.aclSent, false, Array(sent[at...])), (.aclReceived, false, Array(unit[9...])),
        (.aclReceived, true, unit),
      ] as [(FrameKind, Bool, [UInt8])] {
        time += 10_000
        let boundary: HCIEncoding.PacketBoundary =
          !isStart ? .continuation : kind == .aclReceived ? .firstFromController : .firstFromHost
        frames.append(
          RenderedFrame(kind: kind, time: time, octets: HCIEncoding.acl(handle: 0x0040, boundary: boundary, octets))
        )
      }
      var writer = CaptureWriter(format: .pcap(.uart))
      for frame in frames { writer.write(kind: frame.kind, time: frame.time, octets: frame.octets) }
      let capture = writer.finish()
      let story = try CaptureStory(capture)
      let extract = try extract(capture, .links(story.numbers))
      #expect(story.lines.contains { $0.contains("reassemblyBroken") } == (at == 9))
      #expect(story.measurements.count == (at == 9 ? 1 : 2))
      let told = try CaptureStory(extract.octets)
      #expect(told.measurements == story.measurements)
      if at == 5 { #expect(told.lines == story.lines) }
    }
  }

  @Test func oneLinkOfMany() throws {
    let capture = Scenario.manyLinks().capture()
    let extract = try extract(capture, .links([1]))
    let story = try CaptureStory(extract.octets)
    #expect(story.numbers == [1])
    #expect(extract.frameCount < extract.sourceFrameCount / 10)
    #expect(!CaptureSecrets.contains(extract.octets, DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true).octets))
    #expect(CaptureSecrets.contains(extract.octets, DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true).octets))
  }

  @Test(arguments: ["F0:0D:CA:FE:00:03", "f0:0d:ca:fe:00:03", "GM-1 0003", "gm-1 0003"])
  func allLinksOfADevice(_ device: String) throws {
    let extract = try extract(Scenario.manyLinks().capture(), .device(device))
    #expect(extract.links == Array(stride(from: 3, through: 39, by: 4)))
    let story = try CaptureStory(extract.octets)
    #expect(story.numbers.count == 10)
    #expect(story.lines.contains { $0.contains("remembered") })
  }

  @Test func aPrivateAddressStandsForItsDevice() throws {
    let extract = try extract(Scenario.resolvableAddress().capture(), .device("70:81:94:0D:FB:AA"))
    #expect(extract.links == [1, 2])
  }

  @Test func oneControllerOfTwo() throws {
    let capture = Scenario.twoAdapters().capture()
    let extract = try extract(capture, .device("GM-1 0002"))
    #expect(extract.format == .btsnoop(.monitor))
    var reader = try CaptureReader.open(.memory(extract.octets, name: "extract"))
    var adapters: Set<UInt16> = []
    while let frame = reader.next() { adapters.insert(frame.adapter) }
    #expect(adapters == [1])
  }

  @Test func aPhonesLogStaysOne() throws {
    let capture = Scenario.firstSync().capture(Rendering(format: .btsnoop(.uart)))
    let extract = try extract(capture, .links([1]))
    #expect(extract.format == .btsnoop(.uart))
    #expect(try CaptureStory(extract.octets).lines == CaptureStory(capture).lines)
  }

  @Test func aFileWithoutDirections() throws {
    let capture = Scenario.firstSync().capture(Rendering(format: .pcap(.uart), fragmentSize: 27))
    let extract = try extract(capture, .links([1]))
    #expect(try CaptureStory(extract.octets).lines == CaptureStory(capture).lines)
  }

  @Test func clippedAndLostPacketsStaySo() throws {
    var rendering = Rendering(clip: .headers)
    rendering.lost = [40, 41, 42]
    let capture = Scenario.firstSync().capture(rendering)
    let story = try CaptureStory(capture)
    #expect(story.lines.contains { $0.contains("packetsLost") })
    #expect(try CaptureStory(extract(capture, .links(story.numbers)).octets).lines == story.lines)
  }

  @Test func onlyTheOwnEntriesOfCompletedPackets() throws {
    let both = HCIEncoding.event(0x13, [0x02, 0x40, 0x00, 0x03, 0x00, 0x41, 0x00, 0x05, 0x00])
    let scenario = Scenario("completed", [.connect(), .event(both), .read(.feature), .disconnect()])
    let extract = try extract(scenario.capture(Rendering()), .links([1]))
    #expect(CaptureSecrets.contains(extract.octets, [0x13, 0x05, 0x01, 0x40, 0x00, 0x03, 0x00]))
    #expect(!CaptureSecrets.contains(extract.octets, [0x41, 0x00, 0x05, 0x00]))
  }

  @Test func errorsSayWhatThereIs() {
    let capture = Scenario.manyLinks(5).capture()
    let number = #expect(throws: ExtractError.self) { try extract(capture, .links([9])) }
    #expect(number?.message == "the capture has no link 9")
    #expect(number?.hint == "its links are 1 to 5")
    let device = #expect(throws: ExtractError.self) { try extract(capture, .device("nobody")) }
    #expect(device?.hint.contains("F0:0D:CA:FE:00:01 (GM-1 0001)") == true)
    let several = #expect(throws: ExtractError.self) { try extract(capture, .device("GM-1")) }
    #expect(several?.message == "\"GM-1\" is the name of 4 devices")
    let none = #expect(throws: ExtractError.self) {
      try extract(Scenario("x", [.adapterAppears]).capture(), .links([1]))
    }
    #expect(none?.message == "the capture holds no Low Energy link")
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"), arguments: laboratory)
  func labCaptures(_ path: String) throws {
    let capture = try #require(FileContent(path)).octets
    let story = try CaptureStory(capture)
    let extract = try extract(capture, .links(story.numbers))
    #expect(try CaptureStory(extract.octets).lines == story.lines, "\(path)")
  }
}

/// What the host of a sensor advertises tells its name and that it offers a health service.
@Suite struct OwnAdvertisingTests {
  @Test(arguments: [nil, RedactionKey(7, 9)])
  func theNameOfACapturedSensorIsKept(key: RedactionKey?) throws {
    let name = Array("GM-1 0001".utf8)
    let address: [UInt8] = [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0]
    let data = [0x03, 0x03, 0x08, 0x18, UInt8(name.count + 1), 0x09] + name
    let command: [UInt8] = [0x37, 0x20, UInt8(4 + data.count), 0x01, 0x03, 0x01, UInt8(data.count)] + data
    let scenario = Scenario(
      "own",
      [.command([0x35, 0x20, 0x07, 0x01] + address), .command(command), .firstArrival, .fetch(.all, 1...3), .farewell]
    )
    let sources = try captures(in: .memory(scenario.capture(Rendering(side: .sensor)), name: "own"))
    let extract = try CaptureExtract(sources, .links([1]), redactingWith: key)
    let story = try StoryText.of(extract.octets)
    #expect(story.contains("captured on the sensor's own host"))
    #expect(story.contains("\"GM-1 0001\"") == (key == nil))
    #expect(story.contains("F0:0D:CA:FE:00:01") == (key == nil))
    // With a name of its own in either case.
    #expect(story.contains("  \""))
  }
}
