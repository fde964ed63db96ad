import HealthProfiles

/// What sensors get wrong.
extension Scenario {
  /// All records and then nothing: no Response Code within 35 s.
  public static func unanswered() -> Scenario {
    Scenario(
      "unanswered",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...30), .wait(milliseconds: 35_000),
        .disconnect(),
      ]
    )
  }

  /// The Response Code names another request than the one it answers.
  public static func wrongResponseOpCode() -> Scenario {
    Scenario(
      "wrong-response-op-code",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...30), .result(.count, .success), .confirm,
        .farewell,
      ]
    )
  }

  /// Success is indicated before the records are sent.
  public static func responseBeforeRecords() -> Scenario {
    Scenario(
      "response-before-records",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .result(.report, .success), .confirm, .records(1...30),
        .farewell,
      ]
    )
  }

  /// Six records come twice in one Report.
  public static func duplicateRecords() -> Scenario {
    Scenario(
      "duplicate-records",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...15), .records(10...30),
        .result(.report, .success), .confirm, .farewell,
      ]
    )
  }

  /// Thirty counted, 29 sent: record 7 is left out.
  public static func skippedNumber() -> Scenario {
    Scenario(
      "skipped-number",
      [
        .adapterAppears, .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...6), .records(8...30),
        .result(.report, .success), .confirm, .farewell,
      ]
    )
  }

  /// The sensor has lost the bond: encryption fails with PIN or Key Missing.
  public static func bondLost() -> Scenario {
    Scenario(
      "bond-lost",
      [
        .adapterAppears, .firstArrival, .fetch(.all, 1...30), .farewell, .later(minutes: 60), .arrival,
        .encrypt(status: 0x06), .wait(milliseconds: 200), .disconnect(.collector, reason: 0x13),
      ]
    )
  }

  /// The sensor numbers its records from 0 again, in the same memory and with later times.
  public static func counterRestarted() -> Scenario {
    var restarted = Meter()
    restarted.firstSequenceNumber = 0
    restarted.firstBaseTime += 30 * 360 * 60
    return Scenario(
      "counter-restarted",
      [
        .adapterAppears, .firstArrival, .fetch(.all, 1...30), .farewell, .later(minutes: 1440), .bondedArrival,
        .selectMeter(restarted), .fetchNothing(.atLeast(31)), .fetch(.all, 0...3), .farewell,
      ]
    )
  }

  /// The sensor ends the link after 12 of 30 records.
  public static func sensorHangsUp() -> Scenario {
    Scenario(
      "sensor-hangs-up",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...12), .wait(milliseconds: 100),
        .disconnect(.sensor, reason: 0x13),
      ]
    )
  }
}
