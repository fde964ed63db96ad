import HealthProfiles

/// What a capture can show of a link: the conditions under which a rule may speak (field rules 0.1).
public struct VisibilityFacts: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// ATT PDUs in both directions; on a link without any, both sides of a pairing.
  public static let bothDirections = VisibilityFacts(rawValue: 1 << 0)
  /// No packet of the link is known to be lost and no fragment was left over.
  public static let noLoss = VisibilityFacts(rawValue: 1 << 1)
  /// No ATT PDU was cut by the logger.
  public static let whole = VisibilityFacts(rawValue: 1 << 2)
  /// The start of the link is in the file.
  public static let start = VisibilityFacts(rawValue: 1 << 3)
  /// The end of the link is in the file.
  public static let end = VisibilityFacts(rawValue: 1 << 4)
  /// The clock does not step back by more than the logger's jitter while the link is up, nor forth as far as it shows.
  public static let steadyClock = VisibilityFacts(rawValue: 1 << 5)
  /// The controller's commands and events are in the file from the start of the link: encryption can be judged.
  public static let security = VisibilityFacts(rawValue: 1 << 6)
  /// No confirmation is there without its indication: none of those that the sensor sends is known to be missing.
  public static let everyIndication = VisibilityFacts(rawValue: 1 << 7)
  /// The device of several links is known to be one: facts of a device, not of a link.
  public static let identity = VisibilityFacts(rawValue: 1 << 16)
  /// The collector's whole history with the device is in the capture, from their pairing on.
  public static let history = VisibilityFacts(rawValue: 1 << 17)

  /// A logger stamps packets where they arise and queues them elsewhere: on a busy machine neighbours swap by tens of
  /// milliseconds. Steps up to this, in microseconds, are no clock change, and no rule measures anything so short.
  public static let jitter: UInt64 = 250_000

  /// The timers of both sides end a wait after 30 s: where one seems to have waited for this long, in microseconds, and
  /// went on with what came, the clock was set or the host slept.
  public static let endlessWait: Int64 = 600_000_000

  /// The facts that hold for a link.
  public init(_ history: borrowing LinkHistory) {
    var facts: VisibilityFacts = []
    if Self.showsBothDirections(history) { facts.insert(.bothDirections) }
    if !Self.isMissingPackets(history) { facts.insert(.noLoss) }
    if history.counts.strayConfirmations == 0 { facts.insert(.everyIndication) }
    if history.counts.clippedPDUs == 0 && history.counts.emptiedPDUs == 0 { facts.insert(.whole) }
    if history.start != nil {
      facts.insert(.start)
      facts.insert(.security)
    }
    if history.end.cause == .disconnected { facts.insert(.end) }
    var isSteady = !history.counts.hasEndlessWait && !Self.hasEndlessWait(history)
    for event in history.events where event.kind == .clockStep && event.value > Self.jitter { isSteady = false }
    if isSteady { facts.insert(.steadyClock) }
    self = facts
  }

  /// True where a procedure went on after so long that nobody had waited for it.
  private static func hasEndlessWait(_ history: borrowing LinkHistory) -> Bool {
    history.procedures.contains { procedure in
      let last = procedure.result ?? procedure.lastRecord
      guard let last, history.pdus[Int(last)].time &- procedure.startTime > endlessWait else { return false }
      let first = procedure.firstRecord ?? last
      return history.pdus[Int(first)].time &- procedure.startTime > endlessWait
        || max(procedure.gaps.longest, procedure.gaps.beforeResult ?? 0) > endlessWait
    }
  }

  /// True where packets of both hosts are there; those of a pairing where the link was used for nothing else.
  private static func showsBothDirections(_ history: borrowing LinkHistory) -> Bool {
    let counts = history.counts
    if counts.sentPDUs > 0 || counts.receivedPDUs > 0 { return counts.sentPDUs > 0 && counts.receivedPDUs > 0 }
    return history.events.contains { $0.kind == .pairingRequest }
      && history.events.contains { $0.kind == .pairingResponse }
  }

  /// True where the logger counts lost packets, or the packets that are there tell of one that is not.
  private static func isMissingPackets(_ history: borrowing LinkHistory) -> Bool {
    let counts = history.counts
    if counts.lostPackets > 0 || counts.brokenFragments > 0 { return true }
    guard history.start != nil else { return false }
    if counts.passedRequests > 0 && !history.neverAcceptsVisibly { return true }
    if counts.strayConfirmations > 0 && mayLackResult(history) { return true }
    return counts.orphanAnswers > counts.strayConfirmations || counts.skippedAnswers > 0 || counts.hasUnsettledTurns
      || counts.isShortOfSentPackets
  }

  /// True where the indication that a stray confirmation seems to answer may have been a result: where nothing ran then,
  /// none is missing, and the collector may as well have confirmed what needs no confirmation.
  private static func mayLackResult(_ history: borrowing LinkHistory) -> Bool {
    history.procedures.contains { procedure in
      guard history.pdus[Int(procedure.request)].frame < history.counts.lastStrayConfirmation else { return false }
      // Which of two results is missing cannot be told where one of them was for an Abort.
      if procedure.opCode == .abort || procedure.overlaps != nil || procedure.resultNamesOther { return true }
      if case .refused = procedure.outcome { return false }
      guard let result = procedure.result else { return true }
      return history.pdus[Int(result)].frame > history.counts.firstStrayConfirmation
    }
  }

  /// Why a single missing fact keeps a rule from speaking.
  public var reason: String {
    if contains(.bothDirections) { return "the capture does not hold attribute packets of both sides of the link" }
    if contains(.noLoss) { return "packets of this link are missing from the capture" }
    if contains(.everyIndication) { return "an indication of this link may be missing from the capture" }
    if contains(.whole) { return "the logger cut the packets of this link" }
    if contains(.start) { return "the start of the link is not in the capture" }
    if contains(.end) { return "the end of the link is not in the capture" }
    if contains(.steadyClock) { return "the clock of the capture was set, or its host slept, while the link was up" }
    if contains(.security) { return "the encryption of the link is not in the capture" }
    if contains(.identity) { return "the links cannot be told to be those of one device" }
    if contains(.history) { return "the pairing of the two devices is not in the capture" }
    return "the capture does not show enough"
  }
}
