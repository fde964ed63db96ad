import CaptureFiles
import Foundation
import LinkTrace
import ProtocolLint

/// The project's own samples.
enum SampleFiles {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("samples")

  static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { $0.contains(".") && $0 != "README.md" }.sorted()
  }()

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  static func octets(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }
}

/// What a capture says of its procedures and misuses, keyed by the frame of the request.
struct SampleVerdicts: LinkConsumer {
  /// Outcome and frame of the result by frame of the request.
  private(set) var outcomes: [UInt32: (outcome: Procedure.Outcome, result: UInt32, isFinished: Bool)] = [:]
  private(set) var findings: [String] = []
  private(set) var healthLinks: [UInt32] = []

  init(_ octets: [UInt8]) throws {
    var reader = try CaptureReader.open(.memory(octets, name: "sample"))
    var tracker = LinkTracker()
    self.init()
    tracker.read(&reader, into: &self)
    tracker.finish(into: &self)
  }

  private init() {}

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let summary = LinkSummary(history)
    if summary.sensor != nil { healthLinks.append(summary.number) }
    for entry in summary.procedures {
      outcomes[entry.requestFrame] = (entry.procedure.outcome, entry.resultFrame, entry.procedure.isFinished)
    }
    for finding in LinkVerdicts(history).findings {
      findings.append("\(finding.rule) \(finding.level.name) \(finding.fault.rawValue) \(finding.frameCount)")
    }
  }
}
