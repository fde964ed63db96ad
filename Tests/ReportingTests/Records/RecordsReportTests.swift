import ReferenceCaptures
import Reporting
import Testing

@Suite struct RecordsReportTests {
  private static let firstSync = SampleFiles.path("first-sync.btsnoop")

  private func rows(_ path: String, _ options: RecordsOptions = RecordsOptions()) throws -> [[Substring]] {
    var options = options
    options.format = .csv
    let text = try RecordsText.of(path, options).text
    return text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test func everyRecordOfAFetchHasItsRow() throws {
    let rows = try rows(Self.firstSync)
    #expect(rows.count == 31)
    #expect(rows.allSatisfy { $0.count == 38 })
    #expect(rows.dropFirst().map { $0[8] } == (1...30).map { Substring(String($0)) })
    // Values the meter was given: number, base time, offset, user-facing time, milligrams, unit.
    #expect(rows[1][9...15] == ["2026-01-05T07:30:00", "0", "false", "2026-01-05T07:30:00", "96", "5.3", "mg/dL"])
    #expect(rows[2][9...15] == ["2026-01-05T12:07:00", "60", "false", "2026-01-05T13:07:00", "142", "7.9", "mg/dL"])
    #expect(rows[4][10...12] == ["0", "true", "2026-01-05T21:21:00"])
    #expect(rows[6][13...15] == ["254", "14.1", "mmol/L"])
    #expect(rows[3][20...23] == ["true", "fasting", "dinner", "22"])
    #expect(rows[7][19] == "battery low")
    #expect(rows.dropFirst().allSatisfy { $0[33] == "true" && $0[34] == "false" && $0[35] == "false" })
    #expect(rows[1][7] == "2026-11-30T02:24:02.645+00:00")
  }

  @Test func bothEndsOfALinkTellTheSame() throws {
    let central = try rows(Self.firstSync)
    let meter = try rows(SampleFiles.path("first-sync.meter.btsnoop"))
    #expect(central.map { $0[8...22] } == meter.map { $0[8...22] })
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
  func repeatedRecordsAreMarkedOrLeftOut() throws {
    let path = Folder.laboratory.path("captures/bluetoothd-sync.btsnoop")
    var options = RecordsOptions()
    options.format = .csv
    let kept = try RecordsText.of(path, options)
    #expect(kept.totals.measurements == 36)
    #expect(kept.totals.repeated == 6)
    options.duplicates = .drop
    let dropped = try RecordsText.of(path, options)
    #expect(dropped.totals.measurements == 30)
    #expect(dropped.totals.leftOut == 6)
    #expect(!dropped.text.contains(",same,"))
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
  func recordsAfterTheResultSaySo() throws {
    let rows = try rows(Folder.laboratory.path("captures/fault-response-before-records.btsnoop"))
    #expect(rows.count == 31)
    #expect(rows.dropFirst().allSatisfy { $0[34] == "true" })
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
  func anInterruptedFetchIsNotComplete() throws {
    let rows = try rows(Folder.laboratory.path("captures/link-loss-resume.btsnoop"))
    #expect(rows.dropFirst().filter { $0[33] == "false" }.count == 12)
    #expect(rows.dropFirst().filter { $0[33] == "true" }.count == 18)
  }

  @Test func filtersSelect() throws {
    var options = RecordsOptions()
    options.since = RecordsOptions.time("2026-01-10")
    let rows = try rows(Self.firstSync, options)
    #expect(rows.dropFirst().map { $0[8] } == ["26", "27", "28", "29", "30"])
    options.device = "00:11"
    #expect(try self.rows(Self.firstSync, options).count == 1)
    options.device = "gm-1"
    #expect(try self.rows(Self.firstSync, options).count == 6)
  }

  @Test func linesOfJSONAreObjects() throws {
    var options = RecordsOptions()
    options.format = .jsonl
    let lines = try RecordsText.of(Self.firstSync, options).text.split(separator: "\n")
    #expect(lines.count == 30)
    #expect(lines.allSatisfy { $0.hasPrefix(#"{"schema":"racpscope/record/1","kind":"measurement","#) })
    #expect(lines[2].contains(#""context":{"frame":176,"meal":"fasting","carbohydrate":"dinner","carbohydrate_g":22,"#))
    #expect(lines[5].contains(#""mg_dl":254,"mmol_l":14.1,"unit":"mmol/L""#))
  }

  @Test func theTableFitsAHundredColumns() throws {
    var options = RecordsOptions()
    options.zone = .utc
    let lines = try RecordsText.of(Self.firstSync, options).text.split(separator: "\n")
    #expect(lines.allSatisfy { TextColumns.count(String($0)) <= 100 && $0.last != " " })
    #expect(lines.contains("30 records."))
    #expect(
      lines.contains(
        "    175     3  2026-01-05 16:44:00  01-05 16:44:00    +0   02:24:02   188  ~10.4  capillary, finger"
      )
    )
  }

  @Test(arguments: ["2026-01-05", "2026-01-05T07:30", "2026-01-05 07:30:15"])
  func timesAreRead(text: String) { #expect(RecordsOptions.time(text) != nil) }

  @Test(arguments: ["", "2026", "2026-13-01", "2026-02-30", "2026-01-05T", "2026-01-05T25:00", "x-y-z", "2026-01-05T7"])
  func otherTextIsNoTime(text: String) { #expect(RecordsOptions.time(text) == nil) }
}
