import CaptureFiles
import LinkTrace
import Reporting
import Scenarios

extension FuzzEntry {
  /// The octets as a capture file, read as the command line does: a second pass where names come late, every report.
  static let story = FuzzEntry(
    name: "story",
    run: { octets in
      guard let sources = try? CaptureFiles.captures(in: .memory(octets, name: "input")),
        var run = try? CaptureRun(sources, memory: TraceMemory(), progress: .silent, makeReport: { EveryReport() })
      else { return 0 }
      return run.report.conclude(run.facts, run.totals)
    },
    seeds: {
      Scenario.catalogue.map { entry in
        var rendering = Rendering()
        rendering.keepFirst = 400
        return (entry.name, entry.make().capture(rendering))
      }
    }
  )
}
