import CaptureFiles
import ProtocolLint
import Scenarios
import Testing

/// A Pairing Failed of which the logger kept the code alone.
@Test(arguments: [0x05, 0x08] as [UInt8])
func `a reason that is cut is not made up, and no more is said than of the mildest`(_ reason: UInt8) throws {
  let scenario = Scenario(
    "failure",
    [
      .adapterAppears, .arrival, .channel(from: .collector, 0x0006, [0x01, 0x04, 0x00, 0x0D, 0x10, 0x00, 0x00]),
      .channel(from: .sensor, 0x0006, [0x05, reason]), .farewell,
    ]
  )
  var writer = CaptureWriter(format: .btsnoop(.uart))
  for frame in scenario.frames() {
    let isFailure = frame.octets.count == 10 && frame.octets[8] == 0x05
    writer.write(
      kind: frame.kind,
      adapter: frame.adapter,
      time: frame.time,
      octets: isFailure ? Array(frame.octets.dropLast()) : frame.octets,
      originalLength: frame.octets.count
    )
  }
  let cut = try Judgement(.memory(writer.finish(), name: "cut")).findings(of: "SEC-005")
  #expect(
    cut.map(\.message) == ["pairing ended by the sensor for a reason that is cut, once; the user may have cancelled it"]
  )
  #expect(cut.map(\.level) == [.note])
  let whole = try Judgement(scenario).findings(of: "SEC-005")
  #expect(whole.count == 1 && whole.allSatisfy { $0.message.contains("0x0") })
}
