import BluetoothWire
import CaptureFiles
import LinkTrace
import Reporting
import Scenarios
import Testing

@Suite struct PacketsOfScenariosTests {
  private func text(_ capture: [UInt8], _ options: PacketsOptions = PacketsOptions(), isStream: Bool = false) throws
    -> String
  {
    var options = options
    options.zone = .utc
    var first = try CaptureReader.open(.memory(capture, name: "scenario"))
    let known = PacketSurvey.survey(&first)
    var report =
      isStream
      ? PacketsReport(options, output: OutputBuffer())
      : PacketsReport(options, output: OutputBuffer(), survey: known.survey, memory: known.memory)
    var reader = try CaptureReader.open(.memory(capture, name: "scenario"))
    report.read(&reader)
    return report.output.text
  }

  @Test func inferredNamesAreMarked() throws {
    let text = try text(
      Scenario.firstSync().capture(
        {
          var r = Rendering()
          r.withoutDiscovery = true
          return r
        }()
      )
    )
    #expect(text.contains("0x001B Glucose Measurement?"))
    #expect(!text.contains("0x001B Glucose Measurement:"))
  }

  @Test func aChipsOwnLogIsNotDecoded() throws {
    let octets: [UInt8] = [0x74, 0x01, 0x04, 0x00, 0x1B, 0x1B, 0x00]
    let log = HCIEncoding.acl(handle: 0x0EDC, boundary: .firstFromController, octets)
    let text = try text(Scenario("log", [.firstArrival, .acl(from: .sensor, log), .farewell]).capture())
    #expect(text.split(separator: "\n").count { $0.hasSuffix("a chip's own log (handle 0x0EDC), 7 octets") } == 1)
  }

  @Test func preparedWritesAreNamedPartByPartAndWhole() throws {
    let steps: [Step] = [
      .adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose,
      .prepareWrite(.recordAccessConfiguration, offset: 0, [2]),
      .prepareWrite(.recordAccessConfiguration, offset: 1, [0]), .executeWrite(writes: true), .accept,
      .prepareWrite(.recordAccess, offset: 0, [1, 1]), .executeWrite(writes: false), .accept, .farewell,
    ]
    var options = PacketsOptions()
    options.isWide = true
    let lines = try text(Scenario("prepared", steps).capture(), options).split(separator: "\n")
    let configuration = "0x0024 Client Characteristic Configuration of Record Access Control Point"
    for line in [
      "Prepare Write Request \(configuration): from octet 1: 00",
      "Prepare Write Response \(configuration): from octet 0: 02",
      "Execute Write Request \(configuration): indications on", "Execute Write Response \(configuration)",
      "Execute Write Request: cancels what is prepared", "Execute Write Response",
    ] {
      #expect(lines.contains { $0.hasSuffix("  " + line) }, "\(line)")
    }
  }

  /// Confirm, Random, Public Key and DHKey Check give the key of a pairing without a secret away.
  @Test(arguments: [0x03, 0x04, 0x0C, 0x0D, 0x06, 0x08, 0x0A] as [UInt8], [nil, 27])
  func whatGivesAKeyAwayIsNeverShown(code: UInt8, fragmentSize: Int?) throws {
    var rendering = Rendering()
    rendering.fragmentSize = fragmentSize
    let count = code == 0x0C ? 64 : 16
    let steps: [Step] = [
      .adapterAppears, .arrival, .channel(from: .sensor, 0x0006, [code] + [UInt8](repeating: 0xC5, count: count)),
      .channel(from: .collector, 0x0006, [code] + [UInt8](repeating: 0xC5, count: count)), .farewell,
    ]
    var options = PacketsOptions()
    options.hasOctets = true
    for format in PacketsOptions.Format.allCases {
      options.format = format
      let text = try text(Scenario("keys", steps).capture(rendering), options)
      #expect(!text.contains("c5c5") && !text.contains("c5 c5"))
    }
  }

  @Test func aStreamTellsTheLinkOfPacketsThatNameAHandle() throws {
    for scenario in [Scenario.manyLinks(), Scenario.twoAdapters()] {
      let capture = scenario.capture()
      let streamed = try text(capture, isStream: true).split(separator: "\n")
      let whole = try text(capture).split(separator: "\n")
      #expect(streamed.count == whole.count)
      // The frame that ends a link is told by the survey alone.
      let ends = streamed.indices.filter { streamed[$0].contains("Disconnection Complete") }
      for index in streamed.indices where !ends.contains(index) {
        #expect(streamed[index].prefix(31).suffix(4) == whole[index].prefix(31).suffix(4), "\(whole[index])")
      }
    }
  }
}
