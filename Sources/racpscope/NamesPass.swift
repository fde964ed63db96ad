import CaptureFiles
import LinkTrace
import Reporting

/// Reads captures once for what they teach, before anything is written: names and identities that come late.
enum NamesPass {
  /// Takes no link: only the tracker's memory is wanted.
  private struct NoReport: LinkConsumer {
    mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {}
  }

  /// The memory of each story, one thread each; of a stream what the user supplied.
  static func memories(_ stories: [[CaptureSource]], _ supplied: TraceMemory) -> [TraceMemory] {
    var memories: [TraceMemory] = []
    ParallelStories.each(stories) { sources in
      // An input that fails here fails again, and is complained of, when it is written.
      guard !sources.contains(where: { $0.format == .undetermined }),
        let run = try? CaptureRun(
          sources,
          memory: supplied,
          progress: .silent,
          allowsSecondPass: false,
          makeReport: { NoReport() }
        )
      else { return supplied }
      var memory = run.memory
      memory.startSecondPass()
      return memory
    } take: { memory in
      memories.append(memory)
    }
    return memories
  }
}
