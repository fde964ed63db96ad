import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-003: the base time goes back although the sequence number rises.
public struct BaseTimeMoved: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-003",
    name: "base-time-moved",
    summary: "a later record has an earlier base time: the device's internal clock was set",
    rationale: """
      The base time is a clock that nobody sets, so that readings keep their order; a change of the displayed time \
      belongs into the time offset of later records. Where the base time moves, readings change places.
      """,
    remedy: """
      Let a clock change, by the user or over Current Time, alter the time offset alone; let the base time run on.
      """,
    clause: "GLS 3.1.1.3, 3.1.1.4 (S12)",
    needs: [.bothDirections, .noLoss, .whole, .identity]
  )

  private static func meter(earlierBy hours: Int64) -> Meter {
    var meter = Meter()
    meter.firstBaseTime -= hours * 3_600
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the base time goes back by ten hours after a change of the clock",
        "base-time-set-back",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60),
          .selectMeter(Self.meter(earlierBy: 10)), .bondedArrival, .report(.atLeast(7)), .accept,
          .marked(.record(7)), .records(8...9), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the two have bonded anew in between, and all that was there came once more",
        "base-time-set-back-after-new-bond",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival, .encrypt(status: 0x06),
          .wait(milliseconds: 2000), .pair(), .subscribe(), .fetch(.all, 1...6), .farewell, .later(minutes: 60),
          .selectMeter(Self.meter(earlierBy: 10)), .bondedArrival, .report(.atLeast(7)), .accept,
          .marked(.record(7)), .records(8...9), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("SEC-004"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the time offset changes, the base time runs on",
        "offset-changed",
        [
          .selectMeter(Self.withOffset), .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60),
          .bondedArrival, .fetch(.atLeast(7), 7...9), .farewell,
        ]
      )
    ]
  }

  private static var withOffset: Meter {
    var meter = Meter()
    meter.clockChange = Meter.ClockChange(from: 5, timeOffset: -180)
    return meter
  }

  /// Microseconds a clock may be off where a write is compared with what it did; seconds a base time may step back.
  private static let tolerance: Int64 = 90
  private static let slack: Int64 = 60

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.records.count > 1 else { return .notApplicable }
    // Where the numbers began anew, their order is not that of the measurements.
    guard device.records.restarts.isEmpty else { return .notApplicable }
    var previous: DeviceRecord?
    var first: (old: DeviceRecord, new: DeviceRecord, fall: Int64)?
    var further: [(link: Int, frame: UInt32)] = []
    device.records.visit { record in
      guard let now = record.baseTime.secondsSince1970 else { return }
      if let before = previous, let then = before.baseTime.secondsSince1970, then - now > Self.slack,
        Self.areOfOneBond(before, record, device, subject)
      {
        if first == nil {
          first = (before, record, then - now)
        } else {
          further += [(Int(record.link), record.frame), (Int(before.link), before.frame)]
        }
      }
      previous = record
    }
    guard let first else { return .pass }
    let link = Int(first.new.link)
    let write = cause(first, device)
    return .fail([
      device.finding(
        "CLK-003",
        write == nil ? .warning : .error,
        .sensor,
        write == nil ? .likely : .certain,
        link: link,
        frames: [first.new.frame],
        others: [(Int(first.old.link), first.old.frame)],
        further: further,
        key: "base time",
        message: "number \(first.new.sequence) has base time \(first.new.baseTime), "
          + "\(span(first.fall)) before number \(first.old.sequence) with \(first.old.baseTime)",
        evidence: [
          "number \(first.old.sequence) came in "
            + device.frameText(first.old.frame, of: Int(first.old.link), from: link),
          write.map {
            "the clock was written in \(device.frameText($0.write.frame, of: $0.link, from: link)): it moved by as much"
          } ?? "no write of the clock is in the capture; after an unrecoverable loss of the clock it may start anew",
        ]
      )
    ])
  }

  /// True where both records came under one bond: what another one's links show may be a test of its own, unless the
  /// earlier record came once more under the later one's, as it had been.
  private static func areOfOneBond(
    _ earlier: DeviceRecord,
    _ later: DeviceRecord,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Bool {
    if subject.isOneBond(earlier.link, later.link) { return true }
    let standing = subject.standings[Int(later.link)]
    for link in subject.collectors[standing.collector] where subject.standings[link].bond == standing.bond {
      let cameAgain = device.links[link].procedures.contains { $0.sequences.contains(UInt32(earlier.sequence)) }
      guard cameAgain else { continue }
      return !device.records.changes.contains {
        $0.new.sequence == earlier.sequence && subject.isOneBond($0.new.link, later.link)
      }
    }
    return false
  }

  /// A write of the clock that moves it by as much as the base time fell.
  private func cause(
    _ fall: (old: DeviceRecord, new: DeviceRecord, fall: Int64),
    _ device: borrowing DeviceHistory
  ) -> (link: Int, write: TimeWrite)? {
    for link in Int(min(fall.old.link, fall.new.link))...Int(max(fall.old.link, fall.new.link)) {
      for write in device.links[link].timeWrites {
        guard let old = write.old?.secondsSince1970, let new = write.new.secondsSince1970 else { continue }
        if abs((old - new) - fall.fall) <= Self.tolerance { return (link, write) }
      }
    }
    return nil
  }

  /// Seconds as messages have them.
  private func span(_ seconds: Int64) -> String {
    if seconds < 7_200 { return "\(seconds / 60) min" }
    return seconds < 172_800 ? "\(seconds / 3_600) h \(seconds / 60 % 60) min" : "\(seconds / 86_400) d"
  }
}
