import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios
import Testing

/// The file format and the size of the fragments must not change the story.
@Suite struct RenderingTests {
  static let formats: [WritableFormat] = [
    .btsnoop(.unencapsulated), .btsnoop(.uart), .btsnoop(.monitor), .pcap(.uart), .pcap(.uartWithDirection),
    .pcap(.monitor), .pcapng, .packetLogger(bigEndian: true), .packetLogger(bigEndian: false),
  ]

  /// The links of the first adapter: what every format can carry.
  private func story(_ scenario: Scenario, _ rendering: Rendering, withTimes: Bool = true) throws -> [String] {
    let trace = try Trace(octets: scenario.capture(rendering))
    return trace.inOrder.filter { $0.adapter == 0 }.flatMap { text($0, withTimes: withTimes) }
  }

  @Test(arguments: Scenario.names)
  func `every format tells the same`(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let expected = try story(scenario, Rendering())
    #expect(!expected.isEmpty)
    for format in Self.formats {
      let found = try story(scenario, Rendering(format: format))
      #expect(found == expected, "\(format)")
    }
  }

  @Test(arguments: Scenario.names)
  func `fragments tell the same as whole packets`(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let whole = try story(scenario, Rendering(), withTimes: false)
    for size in [27, 9] {
      // Fragments take their time on the way, the same in every format.
      let expected = try story(scenario, Rendering(fragmentSize: size))
      #expect(try story(scenario, Rendering(fragmentSize: size), withTimes: false) == whole)
      for format in Self.formats {
        let found = try story(scenario, Rendering(format: format, fragmentSize: size))
        #expect(found == expected, "\(format), fragments of \(size)")
      }
    }
  }

  @Test(arguments: Scenario.names)
  func `the sensor's side tells the same procedures`(_ name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let collector = Trace(scenario.frames())
    let sensor = Trace(scenario.frames(Rendering(side: .sensor)))
    #expect(
      sensor.procedures.map { sideless(text($0, withTimes: false)) }
        == collector.procedures.map { sideless(text($0, withTimes: false)) }
    )
    for (one, other) in zip(collector.inOrder, sensor.inOrder) where one.sensor != nil {
      #expect(one.sensor == other.sensor?.other)
      #expect(one.end.endedBy == other.end.endedBy?.other)
    }
  }

  /// Local and remote change places with the side.
  private func sideless(_ text: String) -> String {
    text.replacing("Side.local", with: "a side").replacing("Side.remote", with: "a side")
  }
}
