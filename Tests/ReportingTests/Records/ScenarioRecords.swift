import CaptureFiles
import LinkTrace
import Reporting
import Scenarios

/// What the records report writes of a scenario.
struct ScenarioRecords {
  var text: String
  var totals: RecordsTotals

  init(
    _ steps: [Step],
    meter: Meter = Meter(),
    format: RecordsOptions.Format = .csv,
    rendering: Rendering = Rendering(),
    file: String = ""
  ) throws {
    try self.init(
      Scenario("records", meter: meter, steps).capture(rendering),
      format: format,
      file: file
    )
  }

  init(_ capture: [UInt8], format: RecordsOptions.Format = .csv, file: String = "") throws {
    var options = RecordsOptions()
    options.format = format
    options.zone = .utc
    var report = RecordsReport(options, output: OutputBuffer())
    report.file = file
    var tracker = LinkTracker()
    var reader = try CaptureReader.open(.memory(capture, name: "scenario"))
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    report.finish()
    text = report.output.text
    totals = report.totals
  }

  var lines: [Substring] { text.split(separator: "\n") }

  /// The rows of CSV by the names of their columns.
  var rows: [[String: String]] {
    let rows = CommaSeparated.rows(text)
    guard let names = rows.first else { return [] }
    return rows.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
  }

  /// The values of one column of CSV.
  func column(_ name: String) -> [String] { rows.map { $0[name] ?? "no such column" } }
}
