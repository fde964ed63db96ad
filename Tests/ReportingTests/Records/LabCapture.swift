import CaptureFiles
import Glibc
import LinkTrace
import Reporting

/// Captures of the lab, where they are at hand: RACPSCOPE_LAB, else `../shared/lab` beside the package.
enum LabCapture {
  static func path(_ name: String) -> String? {
    let root =
      getenv("RACPSCOPE_LAB").map { String(cString: $0) }
      ?? #filePath.split(separator: "/").dropLast(5).reduce("") { $0 + "/" + $1 } + "/shared/lab"
    let path = root + "/captures/" + name
    guard access(path, R_OK) == 0 else {
      print("not checked: \(name) of the lab is not at hand")
      return nil
    }
    return path
  }

  /// What the records report writes of a capture.
  static func records(_ path: String, _ options: RecordsOptions) throws -> (text: String, totals: RecordsTotals) {
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
