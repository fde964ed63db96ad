public import LinkTrace

/// One link of a side: what was asked on it, what came, and what its capture can show.
public struct FetchedLink: Sendable {
  public var summary: LinkSummary
  /// Index of its capture among those of the side.
  public var capture: Int
  public var facts: VisibilityFacts
  /// Octets of the measurements and contexts of each procedure, as they were sent.
  public internal(set) var octets: [UInt64]
  /// Index of its first place among those of the side: one for each procedure, and one outside of any.
  var firstPlace: Int
  /// Records cut by the logger before their number: they came, and cannot be told apart.
  public internal(set) var unreadableRecords: UInt32 = 0
  /// Records of characteristics whose fields are not decoded.
  public internal(set) var opaqueRecords: UInt32 = 0

  init(_ history: borrowing LinkHistory, capture: Int, firstPlace: Int) {
    summary = LinkSummary(history)
    facts = VisibilityFacts(history)
    self.capture = capture
    self.firstPlace = firstPlace
    octets = Array(repeating: 0, count: history.procedures.count)
  }

  /// Where each of its procedures delivers; the last one stands for no procedure.
  func places(link: Int) -> [DeliveryPlace] {
    summary.procedures.indices.map { index in
      let procedure = summary.procedures[index].procedure
      return DeliveryPlace(
        link: link,
        procedure: index,
        completion: Self.completion(procedure.outcome),
        time: procedure.endTime
      )
    } + [DeliveryPlace(link: link, procedure: nil, completion: .unknown, time: summary.lastTime)]
  }

  private static func completion(_ outcome: Procedure.Outcome) -> DeliveryPlace.Completion {
    switch outcome {
    case .success: .complete
    case .running, .resultClipped, .captureEnded, .notCaptured: .unknown
    case .noRecords, .count, .failed, .refused, .aborted, .superseded, .linkLost, .disconnected, .unanswered,
      .malformedResult:
      .unfinished
    }
  }
}
