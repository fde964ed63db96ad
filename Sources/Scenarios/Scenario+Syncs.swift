import BluetoothWire
import HealthProfiles

/// Syncs in which nobody is at fault.
extension Scenario {
  /// A first sync: pairing, discovery, subscriptions, count, all 30 records with 7 contexts.
  public static func firstSync() -> Scenario {
    Scenario(
      "first-sync",
      [
        .adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .readDeviceInformation,
        .read(.feature), .subscribe(), .ask(answer: 30), .fetch(.all, 1...30), .farewell,
      ]
    )
  }

  /// A bonded meter and no discovery: only the five new records.
  public static func incrementalSync() -> Scenario {
    Scenario("incremental-sync", [.adapterAppears, .bondedArrival, .fetch(.atLeast(31), 31...35), .farewell])
  }

  /// A bonded meter that has nothing new.
  public static func noRecords() -> Scenario {
    Scenario("no-records", [.adapterAppears, .bondedArrival, .fetchNothing(.atLeast(31)), .farewell])
  }

  /// The link is lost after 12 of 30 records; the next link asks from the 13th.
  public static func linkLossResume() -> Scenario {
    Scenario(
      "link-loss-resume",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss,
        .later(minutes: 1), .bondedArrival, .fetch(.atLeast(13), 13...30), .farewell,
      ]
    )
  }

  /// The collector aborts after 8 records, waits for the answer and asks from the 9th.
  public static func abortThenResume() -> Scenario {
    Scenario(
      "abort-then-resume",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .record(9),
        .result(.abort, .success), .confirm, .wait(milliseconds: 500), .fetch(.atLeast(10), 10...30), .farewell,
      ]
    )
  }

  /// The user sets the clock back by three hours: later records have Time Offset −180, Base Time runs on.
  public static func clockChange() -> Scenario {
    var meter = Meter()
    meter.clockChange = Meter.ClockChange(from: 31, timeOffset: -180)
    return Scenario(
      "clock-change",
      meter: meter,
      [
        .adapterAppears, .firstArrival, .fetch(.all, 1...30), .farewell, .later(minutes: 1080), .bondedArrival,
        .fetch(.atLeast(31), 31...33), .farewell,
      ]
    )
  }

  /// The meter pauses for 20 s between two records, which the profile's 30 s allow.
  public static func longPause() -> Scenario {
    Scenario(
      "long-pause",
      [
        .adapterAppears, .firstArrival, .report(.all), .accept, .records(1...10), .wait(milliseconds: 20_000),
        .records(11...30), .result(.report, .success), .confirm, .farewell,
      ]
    )
  }

  /// Two meters on two adapters at once, with the same connection handle.
  public static func twoAdapters() -> Scenario {
    let first: [Step] = [.selectLink(adapter: 0, handle: 0), .selectMeter(Meter(number: 1))]
    let second: [Step] = [.selectLink(adapter: 1, handle: 0), .selectMeter(Meter(number: 2))]
    let turns = (1...30 as ClosedRange<UInt16>).flatMap { first + [.record($0)] + second + [.record($0)] }
    return Scenario(
      "two-adapters",
      first + [.adapterAppears] + second + [.adapterAppears] + first + [.firstArrival] + second + [.firstArrival]
        + first + [.report(.all), .accept] + second + [.report(.all), .accept] + turns
        + first + [.result(.report, .success), .confirm] + second + [.result(.report, .success), .confirm]
        + first + [.farewell] + second + [.farewell]
    )
  }

  /// A whole sync over an enhanced bearer, the subscriptions over a second one.
  public static func eattSync() -> Scenario {
    Scenario(
      "eatt-sync",
      [
        .adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature),
        .write(.handle(0x000B), [0x02]), .accept, .openBearers(2), .selectBearer(1), .subscribe(), .selectBearer(0),
        .ask(answer: 30), .fetch(.all, 1...30), .selectBearer(nil), .farewell,
      ]
    )
  }

  /// A meter under resolvable private addresses: the second link has another address of the same identity key.
  public static func resolvableAddress() -> Scenario {
    // The key and the first address are the sample data of Core Vol 3 Part H D.7.
    let key: [UInt8] = [
      0xEC, 0x02, 0x34, 0xA3, 0x57, 0xC8, 0xAD, 0x05, 0x34, 0x10, 0x10, 0xA6, 0x0A, 0x39, 0x7D, 0x9B,
    ]
    return Scenario(
      "resolvable-address",
      [
        .adapterAppears, .connect(sensorAddress: DeviceAddress(value: 0x7081_940D_FBAA, isRandom: true)),
        .exchangeMTU(185), .pair(sensorIdentityKey: key), .discoverGlucose, .read(.feature), .subscribe(),
        .fetch(.all, 1...30), .farewell, .later(minutes: 720),
        .connect(isEnhanced: true, sensorAddress: DeviceAddress(value: 0x5A1B_2C02_8132, isRandom: true)), .encrypt(),
        .fetch(.atLeast(31), 31...32), .farewell,
      ]
    )
  }

  /// So many links with four meters in turn; each brings one new record.
  public static func manyLinks(_ count: Int = 40) -> Scenario {
    let meters = (1...4 as ClosedRange<UInt16>).map { Meter(number: $0) }
    var steps: [Step] = [.adapterAppears]
    for index in 0..<max(0, count) {
      let number = UInt16(clamping: index / meters.count + 1)
      steps += [
        .selectMeter(meters[index % meters.count]), index < meters.count ? .firstArrival : .bondedArrival,
        .fetch(.atLeast(UInt32(number)), number...number), .farewell, .later(minutes: 90),
      ]
    }
    return Scenario("many-links", steps)
  }

  /// The capture starts in the middle of a Report and sees no link begin.
  public static func midConnectionStart() -> Scenario {
    Scenario(
      "mid-connection-start",
      [
        .records(5...30), .result(.report, .success), .confirm, .wait(milliseconds: 800), .fetchNothing(.atLeast(31)),
        .farewell,
      ]
    )
  }
}
