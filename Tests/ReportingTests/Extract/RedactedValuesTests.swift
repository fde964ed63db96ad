import BluetoothWire
import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

@testable import Reporting

/// Which values a redaction replaces, octet by octet.
@Suite struct RedactedValuesTests {
  private static let key = RedactionKey(0x0123_4567_89AB_CDEF, 0x0F1E_2D3C_4B5A_6978)

  private func redacted(
    _ value: [UInt8],
    _ nature: ValueNature,
    shift: DateShift = DateShift(minutes: -1_439),
    key: RedactionKey = key
  ) -> [UInt8] {
    var tools = RedactionTools(key, [], shift)
    var octets = value
    tools.redact(value: &octets, 0..<octets.count, nature, isWrite: false)
    return octets
  }

  /// Carbohydrate, meal, tester-health, medication in millilitres (GLS 3.2.1).
  private func context(_ carbohydrate: UInt8, _ meal: UInt8, _ condition: UInt8, _ medication: UInt8) -> [UInt8] {
    [0x37, 9, 0, carbohydrate, 0x05, 0xB0, meal, condition, medication, 0x05, 0xD0]
  }

  @Test func everyCodeOfAListBecomesAnotherOfIt() {
    var seen: [Set<UInt8>] = [[], [], [], [], []]
    for code in UInt8(1)...7 {
      let before = context(code, min(code, 5), min(code, 5) << 4 | min(code, 3), min(code, 5))
      let after = redacted(before, .glucoseContext)
      #expect(after == redacted(before, .glucoseContext))
      #expect(after.count == before.count && after[..<3] == before[..<3])
      let codes = [after[3], after[6], after[7] & 0x0F, after[7] >> 4, after[8]]
      let old = [before[3], before[6], before[7] & 0x0F, before[7] >> 4, before[8]]
      for (index, (one, other)) in zip(codes, old).enumerated() {
        #expect(one != other)
        seen[index].insert(one)
      }
    }
    #expect(seen == [Set(1...7), Set(1...5), Set(1...3), Set(1...5), Set(1...5)])
  }

  @Test func aContextWithoutNumbersIsReplaced() {
    let before: [UInt8] = [0x06, 9, 0, 2, 0x51]
    let after = redacted(before, .glucoseContext)
    #expect(after[..<3] == before[..<3])
    #expect(after[3] != 2 && (1...5).contains(after[3]))
    #expect(after[4] & 0x0F != 1 && after[4] >> 4 != 5)
    let others = (0..<64).map { redacted(before, .glucoseContext, key: RedactionKey($0, 1)) }
    #expect(Set(others).count > 8)
  }

  @Test func reservedCodesStay() {
    for reserved in [context(0, 0, 0, 0), context(8, 6, 0x64, 6), context(200, 255, 0xFF, 99)] {
      let after = redacted(reserved, .glucoseContext)
      #expect([after[3], after[6], after[7], after[8]] == [reserved[3], reserved[6], reserved[7], reserved[8]])
    }
  }

  @Test func aCutContextNeverTraps() {
    let whole = context(1, 2, 0x11, 3)
    for count in 0...whole.count {
      #expect(redacted(Array(whole[..<count]), .glucoseContext).count == count)
    }
  }

  @Test func theDayOfTheWeekFitsItsDate() {
    // 2026-01-05 00:10 is a Monday; a day less a minute before, it is Sunday.
    let monday = DateTime(year: 2026, month: 1, day: 5, hours: 0, minutes: 10)
    let after = redacted(monday.octets + [1, 0x80, 0], .dateTime)
    #expect(after == DateTime(year: 2026, month: 1, day: 4, hours: 0, minutes: 11).octets + [7, 0x80, 0])
    let later = redacted(monday.octets + [1, 0, 0], .dateTime, shift: DateShift(minutes: 2 * 1_440 - 11))
    #expect(later == DateTime(year: 2026, month: 1, day: 6, hours: 23, minutes: 59).octets + [2, 0, 0])
    #expect(redacted(monday.octets + [0, 0, 0], .dateTime)[7] == 0)
  }

  @Test func theTimeOfDayIsNotKept() {
    let records: Set<Int64> = [20_458, 20_459, 20_490]
    for seed in UInt64(0)..<200 {
      let shift = DateShift(RedactionKey(seed, 5), recordDays: records, captureDays: 20_490...20_491)
      #expect(shift.minutes < -180 * 1_440)
      let rest = ((shift.minutes % 1_440) + 1_440) % 1_440
      #expect(rest > 60 && rest < 1_380)
      for day in records {
        let time = DateTime(secondsSince1970: day * 86_400 + 86_340)
        let moved = time.map { shift.moved($0) }
        #expect(moved?.isValid == true && moved?.seconds == 0)
      }
    }
  }

  @Test func aClockThatWasNeverSetKeepsItsDay() {
    // 2026-01-01, the default of some clocks, among later days.
    let shift = DateShift(Self.key, recordDays: [20_454, 20_490], captureDays: 20_490...20_490)
    #expect(shift.minutes % 1_440 == 0)
  }

  @Test func revisionsBecomeOtherText() {
    for type in [UInt16(0x2A27), 0x2A28, 0x2A25, 0x2A00] {
      let after = redacted(Array("jana-2.1".utf8), ValueNature(type: BluetoothUUID(type)))
      #expect(after.count == 8 && after[4] == 0x2D && after[6] == 0x2E)
      #expect(after != Array("jana-2.1".utf8))
    }
    for type in [UInt16(0x2A24), 0x2A26, 0x2A29] {
      #expect(redacted([1, 2, 3], ValueNature(type: BluetoothUUID(type))) == [1, 2, 3])
    }
  }

  @Test func recordsStayAsFarFromTheirFrames() throws {
    let capture = Scenario.firstSync().capture()
    let extract = try CaptureExtract(
      try captures(in: .memory(capture, name: "sync")),
      .links([1]),
      redactingWith: Self.key
    )
    let minutes = try #require(extract.shiftedMinutes)
    let before = try CaptureStory(capture).measurements
    let after = try CaptureStory(extract.octets).measurements
    #expect(before.count == after.count && !before.isEmpty)
    let first = try #require(try firstTime(of: capture))
    #expect(try #require(try firstTime(of: extract.octets)) >= first + minutes * 60_000_000)
    for (one, other) in zip(before, after) {
      let time = try #require(one.baseTime.secondsSince1970)
      #expect(other.baseTime.secondsSince1970 == time + minutes * 60)
    }
  }

  private func firstTime(of capture: [UInt8]) throws -> Int64? {
    var reader = try CaptureReader.open(.memory(capture, name: "sync"))
    return reader.next()?.time
  }
}
