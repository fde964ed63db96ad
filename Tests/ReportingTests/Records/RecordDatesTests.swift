import CaptureFiles
import Foundation
import HealthProfiles
import LinkTrace
import Reporting
import Scenarios
import Testing

/// The table leaves no doubt about the day of a time.
@Suite struct RecordDatesTests {
  /// Ten minutes before the new year.
  private static let capture = Scenario(
    "new-year",
    start: 1_798_761_000_000_000,
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .later(minutes: 20), .record(4), .later(minutes: 1_440),
      .records(5...6), .farewell,
    ]
  ).capture()

  private func table(_ capture: [UInt8], width: Int = 100) throws -> [Substring] {
    var options = RecordsOptions()
    options.zone = .utc
    var report = RecordsReport(options, output: OutputBuffer(), terminal: Terminal(width: width))
    var tracker = LinkTracker()
    var reader = try CaptureReader.open(.memory(capture, name: "scenario"))
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    report.finish()
    return report.output.text.split(separator: "\n")
  }

  @Test func theDayOfReceptionIsToldWhereItChanges() throws {
    let lines = try table(Self.capture)
    let days = lines.filter { $0.contains("received on") }
    #expect(days == ["    received on 2027-01-01", "    received on 2027-01-02"])
    let first = try #require(lines.firstIndex { $0.contains("received on 2027-01-01") })
    #expect(lines[first + 1].contains("    4  "))
    #expect(lines.filter { $0.count > 100 } == [])
  }

  @Test func oneDayIsToldOnce() throws {
    let scenario = try #require(Scenario.named("first-sync"))
    #expect(try table(scenario.capture()).allSatisfy { !$0.contains("received on") })
  }

  /// Without a request nothing else tells the day.
  @Test func recordsOutsideOfAnyProcedureHaveTheirDay() throws {
    let scenario = try #require(Scenario.named("mid-connection-start"))
    let lines = try table(scenario.capture())
    let place = try #require(lines.firstIndex { $0.contains("outside of any procedure") })
    #expect(lines[place + 1] == "    received on 2026-03-04")
  }

  @Test func aWideTerminalHasBothDatesInFull() throws {
    let lines = try table(Self.capture, width: 140)
    #expect(!lines.contains { $0.contains("received on") })
    let heading = try #require(lines.first { $0.contains("base time") })
    let row = try #require(lines.first { $0.contains("capillary") })
    let base = heading.distance(from: heading.startIndex, to: try #require(heading.range(of: "base time")).lowerBound)
    #expect(row.dropFirst(base).hasPrefix("2026-02-20 06:00:00"))
    let mark = try #require(heading.range(of: "received")).lowerBound
    let received = heading.distance(from: heading.startIndex, to: mark)
    #expect(row.dropFirst(received).hasPrefix("202"))
    let sample = heading.distance(from: heading.startIndex, to: try #require(heading.range(of: "sample")).lowerBound)
    #expect(row.dropFirst(sample).hasPrefix("capillary"))
    #expect(lines.allSatisfy { $0.count <= 140 })
  }
}
