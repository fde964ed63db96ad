import CaptureFiles
import LinkTrace
import ReferenceCaptures
import Reporting
import Testing

@Suite struct PacketsReportTests {
  private static let firstSync = SampleFiles.path("first-sync.btsnoop")

  private func text(_ path: String, _ options: PacketsOptions, isStream: Bool = false) throws -> String {
    var options = options
    options.zone = .utc
    let source = try captures(in: path)[0]
    var first = try CaptureReader.open(source)
    let known = PacketSurvey.survey(&first)
    var report =
      isStream
      ? PacketsReport(options, output: OutputBuffer())
      : PacketsReport(options, output: OutputBuffer(), survey: known.survey, memory: known.memory)
    var reader = try CaptureReader.open(source)
    report.read(&reader)
    return report.output.text
  }

  @Test func oneLineAFrame() throws {
    let text = try text(Self.firstSync, PacketsOptions())
    let lines = text.split(separator: "\n")
    #expect(
      lines[172]
        == "    173  02:24:02.645  <-   1  Notification 0x001B Glucose Measurement: "
        + "measurement #1 2026-01-05 07:30:00 (+0 min) 96 mg/dL finger"
    )
    #expect(
      lines[160]
        == "    161  02:24:02.586  ->   1  Write Request 0x001C Client Characteristic Configuration of Glucose "
        + "Measurement: notifications on"
    )
    #expect(lines[169].hasSuffix("Write Request 0x0023 Record Access Control Point: report all"))
    #expect(lines[92].hasSuffix("fragment of SMP PDU, 23 of 65 octets"))
    #expect(lines.enumerated().allSatisfy { $1.drop { $0 == " " }.hasPrefix("\($0 + 1) ") })
    #expect(lines.allSatisfy { TextColumns.count(String($0)) <= 160 })
  }

  @Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
  func keysAreNeverShown() throws {
    var options = PacketsOptions()
    options.hasOctets = true
    options.format = .jsonl
    let text = try text(Folder.laboratory.path("captures/irk-distribution.btsnoop"), options)
    let lines = text.split(separator: "\n")
    let zeros = String(repeating: "0", count: 32)
    let identity = lines.filter { $0.contains("SMP Identity Information") }
    #expect(!identity.isEmpty)
    #expect(identity.allSatisfy { $0.contains("08" + zeros + "\"") })
    let encryption = lines.filter { $0.contains("\"LE Enable Encryption") }
    #expect(!encryption.isEmpty)
    #expect(encryption.allSatisfy { $0.contains(zeros + "\"") })
    #expect(lines.filter { $0.contains(#""kind":"other""#) }.allSatisfy { $0.hasSuffix(#""octets":null}"#) })
  }

  @Test func framesAndLinksSelect() throws {
    var options = PacketsOptions()
    options.frames = 170...175
    #expect(try text(Self.firstSync, options).split(separator: "\n").count == 6)
    options.link = 1
    #expect(try text(Self.firstSync, options).split(separator: "\n").count == 5)
    options.link = 2
    #expect(try text(Self.firstSync, options) == "")
  }

  @Test func linesAreCutAtTheColumnsAskedFor() throws {
    var options = PacketsOptions()
    options.columns = 72
    let text = try text(Self.firstSync, options)
    #expect(text.split(separator: "\n").allSatisfy { TextColumns.count(String($0)) <= 72 })
  }

  @Test func aStreamKnowsWhatIsDiscovered() throws {
    let text = try text(Self.firstSync, PacketsOptions(), isStream: true)
    #expect(text.contains("Notification 0x001B Glucose Measurement: measurement #30 2026-01-10 21:23:00"))
    #expect(text.contains("<-   1  LE Connection Complete, handle 0x0001, central"))
  }
}
