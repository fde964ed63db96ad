import CaptureFiles
import LinkTrace
import Reporting

/// What the first pass of `racpscope packets` finds: names for the second, and which links and frames there are.
struct SurveyedFrames: LinkConsumer {
  private(set) var packets = PacketSurvey()
  private(set) var memory = TraceMemory()
  private var name = ""
  private var frameCount: UInt32 = 0
  /// The frames of each link, by its number.
  private var links: [UInt32: ClosedRange<UInt32>] = [:]

  /// Reads a capture, or several as one.
  static func of(_ story: [CaptureSource], memory: TraceMemory) throws(CaptureError) -> SurveyedFrames {
    var survey = SurveyedFrames()
    let run = try CaptureRun(story, memory: memory, progress: .silent, allowsSecondPass: false) { SurveyedFrames() }
    survey = run.report
    survey.memory = run.memory
    survey.name = run.facts.name
    survey.frameCount = run.facts.frames
    return survey
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    packets.take(history, from: tracker)
    let first = history.start?.frame ?? history.firstFrame
    links[history.number] = first...max(first, history.end.frame, history.lastFrame)
  }

  /// Says what there is where the options leave nothing of it.
  func complain(_ options: PacketsOptions) {
    if let frames = options.frames, frames.lowerBound > frameCount || frames.upperBound == 0 {
      return NothingMatches.complain(frames: frames, in: name, count: frameCount)
    }
    guard let link = options.link else { return }
    guard let own = links[link] else {
      return NothingMatches.complain(link: link, in: name, among: links.keys.sorted())
    }
    if let frames = options.frames, !frames.overlaps(own) {
      NothingMatches.complain(link: link, in: name, frames: own)
    }
  }
}
