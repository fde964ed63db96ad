import CaptureFiles
import HealthProfiles
import LinkTrace
import Scenarios
import Testing

@testable import Reporting

/// What is told of packets of which next to nothing is left: values whose octets are not there are not made up.
@Suite struct CutPacketsTests {
  /// A capture of which the logger kept so many octets of each ACL packet, its own header counted.
  private func capture(
    _ scenario: Scenario = .firstSync(),
    keeping octets: Int,
    _ format: WritableFormat = .btsnoop(.uart),
    tellsLength: Bool = true
  ) -> [UInt8] {
    var writer = CaptureWriter(format: format)
    for frame in scenario.frames() {
      let isData = frame.kind == .aclSent || frame.kind == .aclReceived
      let kept = isData ? Array(frame.octets.prefix(octets)) : frame.octets
      writer.write(
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        octets: kept,
        originalLength: tellsLength ? frame.octets.count : kept.count
      )
    }
    return writer.finish()
  }

  private func packets(_ capture: [UInt8]) throws -> [String] {
    var options = PacketsOptions()
    options.zone = .utc
    options.isWide = true
    var first = try CaptureReader.open(.memory(capture, name: "cut"))
    let known = PacketSurvey.survey(&first)
    var report = PacketsReport(options, output: OutputBuffer(), survey: known.survey, memory: known.memory)
    var reader = try CaptureReader.open(.memory(capture, name: "cut"))
    report.read(&reader)
    return report.output.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [8, 9, 10])
  func `what is not seen is not denied`(_ octets: Int) throws {
    let story = try StoryText.of(capture(keeping: octets))
    #expect(!story.contains("none came over"))
    #expect(!story.contains("subscribed  nothing"))
    #expect(!story.contains("CAP-007"))
    #expect(octets == 8 || story.contains("records     not known: the logger cut the handles and values of "))
  }

  @Test func `the head tells of cut packets in every format`() throws {
    for format in [WritableFormat.btsnoop(.uart), .packetLogger(bigEndian: true), .pcapng] {
      let story = try StoryText.of(capture(keeping: 9, format))
      #expect(!story.contains("nothing missing"))
      #expect(story.contains("  capture     packets clipped by the logger, first in frame "))
    }
    let untold = try StoryText.of(capture(keeping: 9, tellsLength: false))
    #expect(!untold.contains("nothing missing"))
    #expect(untold.contains(" attribute packets of health links cut, of which the file says nothing"))
  }

  @Test func `what a side of a pairing asks for is told as far as it is there`() throws {
    let whole = try #require(try packets(capture(keeping: 1_000)).first { $0.contains("SMP Pairing Request") })
    let told = try #require(whole.components(after: "SMP Pairing Request, "))
    let capability = try #require(told.split(separator: ",").first)
    for octets in 9...15 {
      let lines = try packets(capture(keeping: octets)).filter { $0.contains("SMP Pairing Re") }
      #expect(!lines.isEmpty)
      let request = try #require(lines.first?.components(after: "SMP Pairing Request, "))
      switch octets {
      case 9: #expect(request == "what it asks for cut by the logger")
      case 10, 11: #expect(request == "\(capability), the rest of what it asks for cut by the logger")
      default: #expect(request == told + (octets == 15 ? "" : " (cut by the logger)"))
      }
    }
  }

  @Test func `the reason of a failed pairing is told where it is there`() throws {
    let failure = Scenario(
      "failure",
      [
        .adapterAppears, .arrival, .channel(from: .collector, 0x0006, [0x01, 0x04, 0x00, 0x0D, 0x10, 0x00, 0x00]),
        .channel(from: .sensor, 0x0006, [0x05, 0x05]), .farewell,
      ]
    )
    #expect(try packets(capture(failure, keeping: 10)).contains { $0.hasSuffix("Failed, pairing not supported") })
    #expect(try packets(capture(failure, keeping: 9)).contains { $0.hasSuffix("Failed, reason cut by the logger") })
  }

  @Test(arguments: [9, 10])
  func `a whole Confirmation is named beside cut packets`(_ octets: Int) throws {
    let lines = try packets(capture(keeping: octets))
    #expect(lines.contains { $0.hasSuffix("  Confirmation") })
    #expect(!lines.contains { $0.contains("ATT, ") })
  }

  @Test func `a request that nothing names is not denied`() throws {
    let scenario = Scenario(
      "unnamed",
      [
        .adapterAppears, .arrival, .report(.all), .accept, .records(1...5), .farewell,
      ]
    )
    var rendering = Rendering()
    rendering.withoutDiscovery = true
    let story = try StoryText.of(scenario.capture(rendering))
    #expect(!story.contains("nothing was requested"))
    #expect(story.contains("which nothing names"))
    #expect(story.contains("5 outside any procedure that can be recognised"))
    #expect(story.contains("  records     5, outside any procedure that can be recognised"))
  }
}

extension String {
  /// What follows the first place of a text; nil where it is not there.
  fileprivate func components(after text: String) -> String? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(text) { return String(rest.dropFirst(text.count)) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
