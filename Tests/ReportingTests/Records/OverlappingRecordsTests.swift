import HealthProfiles
import Reporting
import Scenarios
import Testing

/// Records that came while two procedures ran are of either: the rows say so.
@Suite struct OverlappingRecordsTests {
  @Test func theRowsNameBoth() throws {
    let scenario = try #require(Scenario.named("overlap-accepted"))
    let csv = try ScenarioRecords(scenario.capture())
    let places = zip(csv.column("procedure"), csv.column("beside")).map { $0 + "/" + $1 }
    #expect(Array(places.prefix(3)) == Array(repeating: "1/", count: 3))
    #expect(Array(places.dropFirst(3).prefix(54)) == Array(repeating: "1/2", count: 54))
    #expect(Array(places.dropFirst(57)) == Array(repeating: "2/", count: 3))
    let json = try ScenarioRecords(scenario.capture(), format: .jsonl)
    #expect(json.lines.count == 60)
    #expect(json.lines.filter { $0.hasSuffix("\"undecoded\":null,\"beside\":[2]}") }.count == 54)
    #expect(json.lines.filter { $0.hasSuffix("\"undecoded\":null,\"beside\":[]}") }.count == 6)
    let table = try ScenarioRecords(scenario.capture(), format: .table)
    #expect(table.lines.filter { $0.contains("procedure 1 or 2, requested in frame") }.count == 1)
    #expect(table.lines.filter { $0.contains("procedure 1, requested in frame") }.count == 1)
    #expect(table.lines.filter { $0.contains("procedure 2, requested in frame") }.count == 1)
  }

  @Test(arguments: ["overlap-refused", "first-sync", "abort-then-resume", "duplicate-records"])
  func oneProcedureAtATimeStandsAlone(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let csv = try ScenarioRecords(scenario.capture())
    #expect(!csv.rows.isEmpty && csv.column("beside").allSatisfy { $0.isEmpty })
  }

  @Test func aCountBesideAReportBringsNoRecords() throws {
    let csv = try ScenarioRecords([
      .firstArrival, .report(.all), .accept, .records(1...3), .count(.all), .accept, .records(4...6), .counted(6),
      .confirm, .result(.report, .success), .confirm, .farewell,
    ])
    #expect(csv.column("procedure") == Array(repeating: "1", count: 6))
    #expect(csv.column("beside").allSatisfy { $0.isEmpty })
  }

  @Test func threeAtATime() throws {
    let csv = try ScenarioRecords([
      .firstArrival, .report(.all), .accept, .report(.all), .accept, .records(1...2), .report(.all), .accept,
      .records(3...4), .result(.report, .success), .confirm, .records(5...6), .result(.report, .success), .confirm,
      .records(7...8), .result(.report, .success), .confirm, .farewell,
    ])
    #expect(csv.column("procedure") == ["1", "1", "1", "1", "2", "2", "3", "3"])
    #expect(csv.column("beside") == ["2", "2", "2;3", "2;3", "3", "3", "", ""])
  }
}
