import HealthProfiles

/// What collectors get wrong.
extension Scenario {
  /// A second Report during the first; the sensor refuses it with 0x80 and finishes the first.
  public static func overlapRefused() -> Scenario {
    Scenario(
      "overlap-refused",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .refuse(error: 0x80),
        .records(4...30), .result(.report, .success), .confirm, .farewell,
      ]
    )
  }

  /// A second Report during the first; the sensor accepts it and runs both side by side.
  public static func overlapAccepted() -> Scenario {
    let both = (4...30 as ClosedRange<UInt16>).flatMap { [Step.record($0), .record($0 - 3)] }
    return Scenario(
      "overlap-accepted",
      [.adapterAppears, .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .accept] + both
        + [.result(.report, .success), .confirm, .records(28...30), .result(.report, .success), .confirm, .farewell]
    )
  }

  /// The collector leaves after the last record and before the Response Code, then asks for what is newer.
  public static func silence() -> Scenario {
    Scenario(
      "silence",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...30), .wait(milliseconds: 305),
        .disconnect(), .later(minutes: 1), .bondedArrival, .fetchNothing(.atLeast(31)), .farewell,
      ]
    )
  }

  /// Everything in clear: no pairing, no encryption, and the sensor serves all the same.
  public static func noEncryption() -> Scenario {
    Scenario(
      "no-encryption",
      [
        .adapterAppears, .arrival, .exchangeMTU(185), .discoverGlucose, .read(.feature), .subscribe(),
        .fetch(.all, 1...30), .farewell,
      ]
    )
  }

  /// A Report before any subscription, which the sensor refuses with 0x81.
  public static func missingSubscription() -> Scenario {
    Scenario(
      "missing-subscription",
      [
        .adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature), .report(.all),
        .refuse(error: 0x81), .farewell,
      ]
    )
  }

  /// The link is lost after 12 of 30 records; the next link asks from the 31st, so that 18 are never fetched.
  public static func partialThenSkip() -> Scenario {
    Scenario(
      "partial-then-skip",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss,
        .later(minutes: 1), .bondedArrival, .fetchNothing(.atLeast(31)), .farewell,
      ]
    )
  }

  /// The collector counts 30, aborts after 8 and deletes all.
  public static func deleteBeforeCommit() -> Scenario {
    Scenario(
      "delete-before-commit",
      [
        .adapterAppears, .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...8), .abort, .accept,
        .result(.abort, .success), .confirm, .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
      ]
    )
  }

  /// After record 65535 the collector asks from 65535 + 1 in 16 bits, which is 0: everything comes again.
  public static func wrap65535() -> Scenario {
    var meter = Meter()
    meter.firstSequenceNumber = 65506
    return Scenario(
      "wrap-65535",
      meter: meter,
      [
        .adapterAppears, .firstArrival, .fetch(.all, 65506...65535), .farewell, .later(minutes: 1), .bondedArrival,
        .fetch(.atLeast(0), 65506...65535), .farewell,
      ]
    )
  }

  /// Report all on each of three links.
  public static func fullRefetch() -> Scenario {
    Scenario(
      "full-refetch",
      [
        .adapterAppears, .firstArrival, .fetch(.all, 1...30), .farewell, .later(minutes: 60), .bondedArrival,
        .fetch(.all, 1...30), .farewell, .later(minutes: 60), .bondedArrival, .fetch(.all, 1...30), .farewell,
      ]
    )
  }

  /// The request is a Write Command; the sensor carries it out.
  public static func writeCommand() -> Scenario {
    Scenario(
      "write-command",
      [
        .adapterAppears, .firstArrival, .writeCommand(.recordAccess, [0x01, 0x01]), .records(1...30),
        .result(.report, .success), .confirm, .farewell,
      ]
    )
  }
}
