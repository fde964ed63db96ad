import CaptureFiles
import LinkTrace
import Reporting

/// What the records report writes.
enum RecordsText {
  /// The rows of a capture, in universal time, and their totals.
  static func of(_ path: String, _ options: RecordsOptions) throws -> (text: String, totals: RecordsTotals) {
    var options = options
    options.zone = .utc
    var report = RecordsReport(options, output: OutputBuffer())
    var tracker = LinkTracker()
    for source in try captures(in: path) {
      var reader = try CaptureReader.open(source)
      tracker.read(&reader, into: &report)
    }
    tracker.finish(into: &report)
    report.finish()
    return (report.output.text, report.totals)
  }
}
