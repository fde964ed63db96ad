import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Bugs that were reported of other collectors, kind D (clocks), one test each.
@Suite struct ClockPainTests {
  private func synced(_ change: (inout ScriptedMeter) -> Void) -> Rig {
    var meter = ScriptedMeter()
    change(&meter)
    var rig = Rig(meter)
    let run = rig.sync()
    #expect(run.outcome == .synced(new: rig.meter.records.count))
    rig.expectHeld()
    return rig
  }

  @Test func d1OffsetsAreSigned() {
    let rig = synced {
      $0.offset = -720
      $0.add(4)
    }
    #expect(rig.keeper.held[0, default: []].map(\.offset) == [-720, -720, -720, -720])
  }

  @Test func d2AnAbsentOffsetIsTheOneBefore() {
    let rig = synced {
      $0.add(2)
      $0.offset = -60
      $0.add(2)
    }
    #expect(rig.keeper.held[0, default: []].map(\.offset) == [60, 60, -60, -60])
  }

  @Test func d3MonthThirteenIsKeptAndTold() {
    let rig = synced {
      $0.add(3)
      $0.records[1].baseTime.month = 13
    }
    #expect(rig.notices.contains(.invalidBaseTime(2)))
  }

  @Test func d4ValuesAreKeptAsTheyWereSent() {
    let rig = synced { $0.add(1) }
    let value = rig.keeper.held[0, default: []].first?.value
    #expect(value == rig.meter.records[0].measurement(withOffset: true))
    // kg/L is 100,000 times mg/dL, and the hour of the display is that of the base time and the offset.
    guard let value, let measurement = try? GlucoseMeasurement(decoding: value.span.bytes) else {
      Issue.record("no measurement")
      return
    }
    #expect(measurement.concentration?.unit == .kilogramsPerLitre)
    #expect(measurement.concentration?.text(in: .milligramsPerDecilitre) == "\(rig.meter.records[0].concentration)")
    #expect(measurement.baseTime == DateTime(year: 2026, month: 1, day: 5, hours: 7, minutes: 30))
    #expect(measurement.timeOffset == 60)
    #expect(measurement.userFacingTime() == DateTime(year: 2026, month: 1, day: 5, hours: 8, minutes: 30))
  }

  @Test func d5TheClockIsAlsoReadFromTheGlucoseService() {
    let rig = synced {
      $0.faults.hasDateTimeInGlucoseService = true
      $0.add(1)
    }
    #expect(rig.notices.contains { if case .meterClock = $0 { true } else { false } })
  }

  @Test(arguments: [0, 3_913_056_000] as [Int64])
  func d6GarbageDatesDoNotDisturbTheMark(clock: Int64) {
    var rig = synced {
      $0.add(2)
      let right = $0.clock
      $0.clock = clock
      $0.add(2)
      $0.clock = right
    }
    rig.meter.add(3)
    #expect(rig.sync().outcome == .synced(new: 3))
    #expect(rig.keeper.meterMemory.epoch == 0)
    rig.expectHeld()
  }

  @Test func d7ASetClockIsToldAndOldRecordsStayAsTheyAre() {
    var rig = synced { $0.add(5) }
    rig.meter.offset = 180
    rig.meter.add(5)
    rig.sync()
    rig.expectHeld()
    let before = rig.keeper.held[0, default: []]
    rig.sync(CollectorPlan(selection: .all))
    #expect(rig.notices.contains(.clockChanged(at: 6, from: 60, to: 180)))
    #expect(rig.keeper.held[0, default: []] == before)
  }

  @Test func d8TheClockOfTheMeterIsNeverWritten() {
    let rig = synced { $0.add(3) }
    let written = Set(
      rig.sent.filter { $0.first == 0x12 || $0.first == 0x52 }.map { UInt16($0[1]) | UInt16($0[2]) << 8 }
    )
    // Service Changed, measurement, context and record access configurations, and the control point.
    #expect(written.count == 5)
    #expect(!rig.sent.contains { $0.first == 0x12 && $0.count > 12 })
  }

  @Test func d9TheClockOfTheMeterIsTold() {
    let rig = synced { $0.add(3) }
    let time = DateTime(secondsSince1970: rig.meter.clock)
    #expect(time != nil)
    if let time { #expect(rig.notices.contains(.meterClock(time))) }
  }

  @Test func d10AnUnknownTimeIsNoTime() {
    var rig = synced {
      $0.add(3)
      $0.records[2].baseTime = DateTime(year: 0, month: 0, day: 0)
    }
    #expect(rig.notices.contains(.invalidBaseTime(3)))
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.keeper.meterMemory.epoch == 0)
    rig.expectHeld()
  }
}
