import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ReferenceCaptures
import Reporting
import Scenarios
import Testing

/// A redacted extract tells the same story and names nobody.
@Suite struct RedactionTests {
  private static let laboratory = ["captures", "captures-collector"]
    .flatMap { Folder.laboratory.folder($0).paths(ending: ".btsnoop") }

  private static let key = RedactionKey(0x0123_4567_89AB_CDEF, 0x0F1E_2D3C_4B5A_6978)

  private func redacted(_ capture: [UInt8], key: RedactionKey = key) throws -> CaptureExtract {
    let story = try CaptureStory(capture)
    return try CaptureExtract(
      try captures(in: .memory(capture, name: "scenario")),
      .links(story.numbers),
      redactingWith: key
    )
  }

  /// Story and secrets of a capture against those of its redacted extract.
  private func verify(_ capture: [UInt8], _ name: String, texts: [[UInt8]] = []) throws {
    let story = try CaptureStory(capture)
    let extract = try redacted(capture)
    let other = try CaptureStory(extract.octets)
    #expect(other.lines.count == story.lines.count, "\(name)")
    let difference = zip(story.lines, other.lines).first { $0 != $1 }
    #expect(difference == nil, "\(name)")
    var secrets = try CaptureSecrets(capture)
    for text in texts { secrets.add("text", text) }
    #expect(secrets.found(in: extract.octets) == [], "\(name)")
    try verifyMeasurements(story.measurements, other.measurements, minutes: try #require(extract.shiftedMinutes), name)
  }

  private func verifyMeasurements(
    _ before: [GlucoseMeasurement],
    _ after: [GlucoseMeasurement],
    minutes: Int64,
    _ name: String
  ) throws {
    #expect(before.count == after.count, "\(name)")
    var replaced: [UInt16: UInt16] = [:]
    for (one, other) in zip(before, after) {
      #expect(other.sequenceNumber == one.sequenceNumber)
      #expect(other.flags == one.flags)
      #expect(other.timeOffset == one.timeOffset)
      #expect(other.annunciation == one.annunciation)
      #expect(other.sample?.type == one.sample?.type)
      if let start = one.baseTime.secondsSince1970 {
        #expect(other.baseTime.secondsSince1970 == start + minutes * 60)
      }
      guard let word = one.sample?.concentration.word, let alias = other.sample?.concentration.word else { continue }
      #expect(replaced[word] ?? alias == alias, "equal values stay equal")
      replaced[word] = alias
      #expect(one.sample?.concentration.exponent == other.sample?.concentration.exponent)
      if one.sample?.concentration.special == nil { #expect(word != alias, "\(name)") }
    }
    #expect(Set(replaced.values).count == replaced.count, "different values stay different")
  }

  private func texts(_ scenario: Scenario) -> [[UInt8]] {
    (1...4 as ClosedRange<UInt16>).map { Array(Meter(number: $0).name.utf8) }
  }

  @Test(arguments: Scenario.catalogue.map { $0.name })
  func everyScenario(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    try verify(scenario.capture(), name, texts: texts(scenario))
  }

  @Test(arguments: ["first-sync", "resolvable-address", "no-encryption"])
  func theSensorsSide(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    try verify(scenario.capture(Rendering(side: .sensor)), name, texts: texts(scenario))
  }

  @Test(arguments: Scenario.catalogue.map { $0.name })
  func cutIntoFragments(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    try verify(scenario.capture(Rendering(fragmentSize: 7)), name, texts: texts(scenario))
  }

  @Test(arguments: Clip.allCases)
  func clipped(_ clip: Clip) throws {
    let scenario = Scenario.firstSync()
    try verify(scenario.capture(Rendering(clip: clip)), "\(clip)", texts: texts(scenario))
    try verify(scenario.capture(Rendering(fragmentSize: 11, clip: clip)), "\(clip)", texts: texts(scenario))
  }

  @Test func withoutDiscovery() throws {
    var rendering = Rendering()
    rendering.withoutDiscovery = true
    for entry in Scenario.catalogue { try verify(entry.make().capture(rendering), entry.name) }
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"), arguments: laboratory)
  func labCaptures(_ path: String) throws {
    try verify(#require(FileContent(path)).octets, path)
  }

  @Test func serialNumberAndSystemID() throws {
    var meter = Meter(number: 7321)
    meter.name = "Jana 7321"
    let scenario = Scenario(
      "identity",
      meter: meter,
      [
        .adapterAppears, .advertise, .connect(), .discoverGlucose, .readDeviceInformation, .read(.deviceName),
        .disconnect(),
      ]
    )
    let extract = try redacted(scenario.capture(Rendering(fragmentSize: 5)))
    let octets = try whole(extract.octets)
    #expect(!CaptureSecrets.contains(octets, Array("7321".utf8)))
    #expect(!CaptureSecrets.contains(octets, Array("Jana".utf8)))
    #expect(!CaptureSecrets.contains(octets, meter.value(of: .systemID)))
    #expect(CaptureSecrets.contains(octets, Array("GM-1".utf8)))
    #expect(CaptureSecrets.contains(octets, Array("1.4.2".utf8)))
    #expect(CaptureSecrets.contains(octets, Array("Example Meters".utf8)))
  }

  /// The data of every ACL packet, one after the other.
  private func whole(_ capture: [UInt8]) throws -> [UInt8] {
    var reader = try CaptureReader.open(.memory(capture, name: "extract"))
    var octets: [UInt8] = []
    while let frame = reader.next() {
      let bytes = reader.bytes(of: frame)
      octets +=
        frame.kind == .aclReceived || frame.kind == .aclSent ? bytes.extracting(4..<bytes.byteCount).copied() : []
    }
    return octets
  }

  @Test func textAndControlRecordsAreLeftOut() throws {
    let scenario = Scenario(
      "text",
      [.adapterAppears, .connect(), .text("bluetoothd of Jana"), .read(.feature), .disconnect()]
    )
    let capture = scenario.capture()
    #expect(CaptureSecrets.contains(try redactedOctets(capture, nil), Array("Jana".utf8)))
    #expect(!CaptureSecrets.contains(try redactedOctets(capture, Self.key), Array("Jana".utf8)))
  }

  private func redactedOctets(_ capture: [UInt8], _ key: RedactionKey?) throws -> [UInt8] {
    try CaptureExtract(try captures(in: .memory(capture, name: "text")), .links([1]), redactingWith: key).octets
  }

  @Test func datesInRequestsMoveWithTheRecords() throws {
    let request: [UInt8] = [0x01, 0x03, 0x02] + DateTime(year: 2026, month: 2, day: 20, hours: 6).octets
    let scenario = Scenario(
      "since",
      [
        .adapterAppears, .connect(), .discoverGlucose, .write(.recordAccess, request), .accept, .record(1),
        .disconnect(),
      ]
    )
    let extract = try redacted(scenario.capture())
    let minutes = try #require(extract.shiftedMinutes)
    let seconds = try #require(DateTime(year: 2026, month: 2, day: 20, hours: 6).secondsSince1970)
    let moved = try #require(DateTime(secondsSince1970: seconds + minutes * 60))
    #expect(CaptureSecrets.contains(extract.octets, [0x01, 0x03, 0x02] + moved.octets))
    #expect(!CaptureSecrets.contains(extract.octets, request))
    #expect(minutes % 1_440 != 0 && minutes < 0)
  }

  @Test func opaqueValuesOfVendorsAreOthers() throws {
    let value = Array("patient=4711;v=9".utf8)
    let scenario = Scenario(
      "vendor",
      [.connect(), .notify(.handle(0x60), value), .write(.handle(0x62), value), .accept]
    )
    let extract = try redacted(scenario.capture(Rendering(fragmentSize: 6)))
    #expect(!CaptureSecrets.contains(try whole(extract.octets), Array("4711".utf8)))
  }

  @Test func aClockThatWasNeverSetStaysSo() throws {
    var meter = Meter()
    meter.firstBaseTime = 946_684_800
    let scenario = Scenario(
      "unset",
      meter: meter,
      [.adapterAppears, .connect(), .discoverGlucose, .fetch(.all, 1...5), .disconnect()]
    )
    let extract = try redacted(scenario.capture())
    let dates = try CaptureStory(extract.octets).measurements.map { $0.baseTime.year }
    #expect(dates.count == 5)
    #expect(dates.allSatisfy { (2000..<2010).contains($0) })
  }

  @Test func anotherKeyGivesOtherAliases() throws {
    let capture = Scenario.firstSync().capture()
    #expect(try redacted(capture).octets == redacted(capture).octets)
    #expect(try redacted(capture).octets != redacted(capture, key: RedactionKey(1, 2)).octets)
    #expect(RedactionKey() != RedactionKey())
  }

  @Test func damagedFramesNeverTrap() throws {
    let capture = Scenario.firstSync().capture(Rendering(fragmentSize: 9))
    for seed in 0..<40 {
      var damaged = capture
      var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
      for _ in 0..<60 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[16 + Int(state >> 33) % (damaged.count - 16)] = UInt8(truncatingIfNeeded: state >> 25)
      }
      let found = try? captures(in: .memory(damaged, name: "damaged"))
      guard let found, let story = try? CaptureStory(damaged), !story.numbers.isEmpty else { continue }
      let extract = try CaptureExtract(found, .links(story.numbers), redactingWith: Self.key)
      #expect(extract.frameCount > 0)
    }
  }
}
