import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-009: a reading that was just taken has another time than the capture.
public struct DeviceSkew: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-009",
    name: "device-skew",
    summary: "a reading taken while a report ran is dated more than 5 minutes off the time of the capture",
    rationale: """
      A meter's clock that is minutes off moves a reading to the wrong side of a meal; days off, to the wrong day. A \
      reading that is sent as it is taken shows it. The zone of the meter's clock is not known: only what no zone \
      explains is counted.
      """,
    remedy: """
      Set the meter's clock, by Current Time where it has it, or note the difference beside the readings.
      """,
    clause: "good practice: a clock near to that of the collector",
    needs: [.bothDirections, .noLoss, .whole]
  )

  /// A meter whose record 7 is taken at the time its example begins, or so many seconds off.
  private static func meter(off seconds: Int64) -> Meter {
    var meter = Meter()
    meter.firstBaseTime = 1_772_611_200 - 6 * 21_600 + seconds
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "a reading taken now is dated 7 minutes back",
        "seven-minutes-slow",
        [
          .selectMeter(Self.meter(off: -420)), .firstArrival, .report(.within(2, 5)), .accept, .records(2...4),
          .marked(.record(7)), .record(5), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-024")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a reading taken now is dated now, in another time zone",
        "right-in-its-zone",
        [
          .selectMeter(Self.meter(off: 3_600)), .firstArrival, .report(.within(2, 5)), .accept, .records(2...4),
          .record(7), .record(5), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-024")
    ]
  }

  /// Seconds: what is no skew yet, what zones differ by, and how far they lie from UTC.
  private static let tolerance: Int64 = 300
  private static let zoneStep: Int64 = 900
  private static let zones: ClosedRange<Int64> = -43_200...50_400

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var isJudged = false
    for index in history.procedures.indices where history.procedures[index].opCode == .report {
      guard history.procedures[index].result != nil, subject.standings[index].isClear,
        !subject.standings[index].mayInheritRecords, UninvitedRecords.areLikely(index, history, subject),
        let place = UninvitedRecords(index, history, subject).live,
        let shown = Self.userFacingTime(place, index, history), let seconds = shown.secondsSince1970
      else { continue }
      let received = history.time(place)
      guard UninvitedRecords.trusted.contains(received) else {
        return .inconclusive("the clock of the capture cannot be trusted")
      }
      isJudged = true
      let skew = Self.skew(seconds - received / 1_000_000)
      guard abs(skew) > Self.tolerance else { continue }
      let capture = DateTime(secondsSince1970: received / 1_000_000)?.description ?? "of no date"
      findings.append(
        Finding(
          "CLK-009",
          .note,
          .undetermined,
          .possible,
          link: history.number,
          procedure: index,
          frames: [history.frame(place)],
          time: received,
          key: "skew",
          message: "sent \(history.recordName(place)), which was taken while \(subject.quoted(index)) ran, with a time "
            + "\(durationText(abs(skew) * 1_000_000)) \(skew < 0 ? "before" : "after") that of the capture, whatever the zone",
          evidence: [
            "its user-facing time is \(shown), the time of the capture \(capture) UTC",
            "the meter's clock or that of the captured host is off",
          ]
        )
      )
      break
    }
    guard isJudged else { return .notApplicable }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  /// Base time and the offset in force (GLS 3.1.1.4).
  private static func userFacingTime(
    _ place: UInt32,
    _ procedure: Int,
    _ history: borrowing LinkHistory
  ) -> DateTime? {
    guard let first = history.procedures[procedure].firstRecord, first <= place else { return nil }
    var offset: Int16?
    var shown: DateTime?
    for index in first...place {
      let pdu = history.pdus[Int(index)]
      guard history.role(pdu) == .glucoseMeasurement,
        let measurement = try? GlucoseMeasurement(decoding: history.value(pdu))
      else { continue }
      offset = measurement.timeOffset ?? offset
      if index == place, let offset { shown = measurement.userFacingTime(offsetInForce: offset) }
    }
    return shown
  }

  /// What the nearest time zone leaves of a difference to UTC; seconds.
  private static func skew(_ difference: Int64) -> Int64 {
    let steps = (difference >= 0 ? difference + zoneStep / 2 : difference - zoneStep / 2) / zoneStep
    let zone = min(max(steps * zoneStep, zones.lowerBound), zones.upperBound)
    return difference - zone
  }
}
