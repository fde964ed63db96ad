import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-005: connection parameters that make a transfer slow or fragile.
public struct SlowParameters: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-005",
    name: "slow-parameters",
    summary: "a long transfer runs at a long connection interval, or the supervision timeout is too short for it",
    rationale: """
      At 100 ms and more an event, a history of hundreds of records takes minutes, and many a link does not live \
      that long. A supervision timeout below two intervals breaks with one missed event.
      """,
    remedy: """
      Ask for a short interval without latency before a transfer (50 to 70 ms, or less), and for a supervision \
      timeout of more than 2 · (1 + latency) · interval.
      """,
    clause: "good practice: GLP table 5.4, Core Vol 6 Part B",
    needs: [.noLoss, .start]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the supervision timeout is as long as two intervals",
        "short-timeout",
        [
          .arrival, .exchangeMTU(185), .pair(), .marked(.event(Self.update(interval: 400, timeout: 100))),
          .discoverGlucose, .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "fifty-two records at 120 ms",
        "long-interval",
        [
          .bondedArrival, .marked(.event(Self.update(interval: 96, timeout: 200))), .discoverGlucose, .subscribe(),
          .fetch(.all, 1...52), .farewell,
        ]
      ),
    ]
  }

  /// LE Connection Update Complete, without latency; in 1.25 ms and 10 ms.
  private static func update(interval: UInt16, timeout: UInt16) -> [UInt8] {
    var writer = ByteWriter([0x3E, 0x0A, 0x03, 0x00, 0x40, 0x00])
    writer.u16(interval)
    writer.u16(0)
    writer.u16(timeout)
    return writer.octets
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "30 ms and two seconds",
        "usual",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  /// From here on an event is slow, in microseconds, and a transfer long, in records.
  private static let slow: Int64 = 100_000
  private static let many: UInt32 = 50

  private struct Parameters {
    var frame: UInt32
    var time: Int64
    var interval: Int64
    var latency: Int64
    var timeout: Int64

    init(frame: UInt32, time: Int64, interval: UInt16, latency: UInt16, timeout: UInt16) {
      self.frame = frame
      self.time = time
      self.interval = Int64(interval) * 1250
      self.latency = Int64(latency)
      self.timeout = Int64(timeout) * 10_000
    }

    var pace: Int64 { interval * (latency + 1) }
    var isFragile: Bool { timeout > 0 && timeout <= 2 * pace }
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.sensor != nil, let start = history.start else { return .notApplicable }
    var current = Parameters(
      frame: start.frame,
      time: start.time,
      interval: start.interval,
      latency: start.latency,
      timeout: start.supervisionTimeout
    )
    var slowest: Parameters? = current.pace >= Self.slow ? current : nil
    var fragile: Parameters? = current.isFragile ? current : nil
    var hasAsked = false
    for event in history.events {
      switch event.kind {
      case .connectionUpdate where event.code == 0:
        current = Parameters(
          frame: event.frame,
          time: event.time,
          interval: UInt16(truncatingIfNeeded: event.value),
          latency: UInt16(truncatingIfNeeded: event.value >> 16),
          timeout: UInt16(truncatingIfNeeded: event.value >> 32)
        )
        if current.pace >= Self.slow && slowest == nil { slowest = current }
        if current.pace < Self.slow { hasAsked = true }
        if current.isFragile && fragile == nil { fragile = current }
      case .parameterRequest, .remoteParameterRequest, .connectionUpdateCommand:
        let interval = Int64(UInt16(truncatingIfNeeded: event.value >> 16)) * 1250
        let latency = Int64(UInt16(truncatingIfNeeded: event.value >> 32))
        if interval * (latency + 1) < Self.slow { hasAsked = true }
      default: continue
      }
    }
    var findings: [Finding] = []
    if let fragile { findings.append(finding(fragile, isFragile: true, 0, history)) }
    if let slowest, !hasAsked {
      var records: UInt32 = 0
      for index in history.procedures.indices { records &+= history.procedures[index].records }
      if records > Self.many {
        // While the link is up a faster pace may still be asked for.
        if history.end.cause == .open { return findings.isEmpty ? .pass : .fail(findings) }
        findings.append(finding(slowest, isFragile: false, records, history))
      } else if findings.isEmpty && history.end.cause != .disconnected {
        return .inconclusive("the capture ends while the link runs at a slow pace")
      }
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  private func finding(
    _ found: Parameters,
    isFragile: Bool,
    _ records: UInt32,
    _ history: borrowing LinkHistory
  ) -> Finding {
    let interval = "\(found.interval / 1000) ms"
    return Finding(
      "CONN-005",
      .note,
      .undetermined,
      .certain,
      link: history.number,
      frames: [found.frame],
      time: found.time,
      key: isFragile ? "timeout" : "interval",
      message: isFragile
        ? "supervision timeout \(found.timeout / 1000) ms at interval \(interval) and latency \(found.latency): two "
          + "missed events end the link"
        : "a transfer of \(records) records at interval \(interval) and latency \(found.latency), and no side asked for a faster pace",
      evidence: [
        "interval \(interval), latency \(found.latency), supervision timeout \(found.timeout / 1000) ms from frame "
          + "\(found.frame) on"
      ]
    )
  }
}
