import CaptureFiles
import HealthProfiles
import LinkTrace
import Reporting
import Scenarios
import Testing

/// Records of one story in several captures.
@Suite struct JoinedRecordsTests {
  /// A link whose report runs on from one file into the next.
  private static func rows(cutAt record: UInt16, format: RecordsOptions.Format) throws -> String {
    let scenario = Scenario("joined", [.firstArrival, .fetch(.all, 1...9), .farewell])
    let frames = scenario.frames(Rendering())
    let sequences = frames.indices.filter { frames[$0].kind == .aclReceived && frames[$0].octets.count > 20 }
      .filter { frames[$0].octets[8] == 0x1B && frames[$0].octets[12] == UInt8(record) }
    let cut = try #require(sequences.first)
    var options = RecordsOptions()
    options.format = format
    options.zone = .utc
    var report = RecordsReport(options, output: OutputBuffer())
    var tracker = LinkTracker()
    report.file = "first"
    var reader = try CaptureReader.open(.memory(file(frames[..<cut]), name: "first"))
    tracker.read(&reader, into: &report)
    report.join("second", from: reader.frameCount &+ 1)
    let second = try #require(try captures(in: .memory(file(frames[cut...]), name: "second")).first)
    try reader.continue(with: second)
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    report.finish()
    return report.output.text
  }

  private static func file(_ frames: ArraySlice<RenderedFrame>) -> [UInt8] {
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

  @Test func aRecordIsOfTheFileThatHoldsItsFrame() throws {
    let rows = CommaSeparated.rows(try Self.rows(cutAt: 4, format: .csv)).dropFirst()
    #expect(rows.map { $0[3] } == Array(repeating: "first", count: 3) + Array(repeating: "second", count: 6))
    let lines = try Self.rows(cutAt: 4, format: .jsonl).split(separator: "\n")
    #expect(lines.map { $0.contains(#""file":"second""#) } == (1...9).map { $0 >= 4 })
  }

  @Test func theTableNamesTheFileWhereItChanges() throws {
    let table = try Self.rows(cutAt: 4, format: .table)
    let headings = table.split(separator: "\n").filter { $0.hasPrefix("F0:0D:CA:FE:00:01") }
    #expect(headings.map { $0.hasSuffix("first") } == [true, false])
    #expect(headings.last?.hasSuffix("second") == true)
  }
}
