import CaptureFiles
import LinkTrace
import Reporting

extension PacketSurvey {
  /// Passes over a capture once; the memory it returns is what the second pass starts with.
  static func survey(_ reader: inout CaptureReader) -> (survey: PacketSurvey, memory: TraceMemory) {
    var survey = PacketSurvey()
    var tracker = LinkTracker()
    tracker.read(&reader, into: &survey)
    tracker.finish(into: &survey)
    return (survey, tracker.memory)
  }
}
