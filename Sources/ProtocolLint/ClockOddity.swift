import CaptureFiles
import HealthProfiles
import Scenarios

/// CAP-006: the time stamps of the capture cannot be trusted.
public struct ClockOddity: CaptureRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-006",
    name: "capture-clock-oddity",
    summary: "the clock of the captured host was set back or leapt, or its year is impossible",
    rationale: """
      Rules about silence and pauses rest on the time stamps. Where they jump, such rules say that they could not \
      judge.
      """,
    remedy: """
      Let the host's clock be set before the capture begins; on a board without a clock wait for the network time.
      """,
    clause: "good practice: time stamps that rise",
    needs: []
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the clock is set back by an hour",
        "clock-set-back",
        [
          .firstArrival, .fetch(.all, 1...3), .wait(milliseconds: -3_600_000), .marked(.report(.atLeast(4))), .accept,
          .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample("time stamps that rise", "clock-rises", [.firstArrival, .fetch(.all, 1...3), .farewell])
    ]
  }

  /// Loggers that write from several sources step back by a little all the time. Microseconds.
  private static let jitter: Int64 = 1_000_000

  public func check(_ capture: CaptureSubject) -> RuleOutcome {
    guard capture.frames > 0 else { return .notApplicable }
    let steps = capture.notes(.clockStepsBack).filter { $0.amount > Self.jitter }
    let leaps = capture.notes(.clockLeaps)
    let years = capture.notes(.impossibleYear)
    guard let first = (steps + leaps + years).min(by: { $0.frame < $1.frame }) else { return .pass }
    var parts: [String] = []
    if let most = steps.map(\.amount).max() {
      parts.append("the clock is set back \(timesText(steps.count)), by up to \(durationText(most))")
    }
    if let most = leaps.map(\.amount).max() {
      parts.append("the clock leaps forward \(timesText(leaps.count)), by up to \(durationText(most))")
    }
    if let year = years.first { parts.append("the time stamp of frame \(year.frame) is before 2015 or after 2099") }
    return .fail([
      Finding(
        "CAP-006",
        .note,
        .capture,
        .certain,
        link: 0,
        frames: [first.frame] + (steps + leaps + years).map(\.frame),
        time: 0,
        key: "clock",
        message: parts.joined(separator: "; "),
        evidence: ["durations over these frames are not judged"]
      )
    ])
  }
}
