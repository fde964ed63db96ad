import BluetoothWire
import HealthProfiles
import Testing

struct DateTimeTests {
  @Test func decodesAndPrints() throws {
    let time = try DateTime(decoding: bytes("EA07 01 05 07 1E 00").span.bytes)
    #expect(time == DateTime(year: 2026, month: 1, day: 5, hours: 7, minutes: 30, seconds: 0))
    #expect("\(time)" == "2026-01-05 07:30:00")
    #expect(time.isValid)
    #expect(time.octets == bytes("EA07 01 05 07 1E 00"))
  }

  @Test(
    arguments: [
      (DateTime(year: 1582, month: 1, day: 1), -12_244_089_600),
      (DateTime(year: 1600, month: 2, day: 29), -11_670_998_400),
      (DateTime(year: 1970, month: 1, day: 1), 0),
      (DateTime(year: 2024, month: 2, day: 29, hours: 23, minutes: 59, seconds: 59), 1_709_251_199),
      (DateTime(year: 2026, month: 1, day: 5, hours: 7, minutes: 30), 1_767_598_200),
      (DateTime(year: 2100, month: 3, day: 1), 4_107_542_400),
      (DateTime(year: 9999, month: 12, day: 31, hours: 23, minutes: 59, seconds: 59), 253_402_300_799),
    ] as [(DateTime, Int64)]
  )
  func secondsSince1970(_ time: DateTime, seconds: Int64) {
    #expect(time.secondsSince1970 == seconds)
    #expect(DateTime(secondsSince1970: seconds) == time)
  }

  @Test func secondsOutsideTheYearsAreNone() {
    #expect(DateTime(secondsSince1970: -12_244_089_601) == nil)
    #expect(DateTime(secondsSince1970: 253_402_300_800) == nil)
    #expect(DateTime(secondsSince1970: .min) == nil)
    #expect(DateTime(year: 2026, month: 1, day: 1).adding(minutes: .max) == nil)
  }

  @Test func everyDayFollowsTheDayBefore() {
    var generator = FixedGenerator(seed: 1)
    for _ in 0..<20_000 {
      let seconds = Int64.random(in: -12_244_089_600..<253_402_300_800, using: &generator)
      let time = DateTime(secondsSince1970: seconds)
      guard time?.isValid == true, time?.secondsSince1970 == seconds else {
        Issue.record("\(seconds)")
        return
      }
    }
    #expect(DateTime(secondsSince1970: -1)?.description == "1969-12-31 23:59:59")
  }

  @Test func minutesCrossDays() {
    let time = DateTime(year: 2024, month: 3, day: 1, hours: 0, minutes: 30, seconds: 7)
    #expect(time.adding(minutes: -60)?.description == "2024-02-29 23:30:07")
    #expect(time.adding(minutes: Int(Int16.max))?.description == "2024-03-23 18:37:07")
  }

  @Test func everyFieldIsJudged() {
    #expect(DateTime(year: 0, month: 0, day: 0).unknownFields == [.year, .month, .day])
    #expect(DateTime(year: 0, month: 0, day: 0).invalidFields == [])
    #expect(!DateTime(year: 0, month: 1, day: 1).isValid)
    #expect(DateTime(year: 1581, month: 1, day: 1).invalidFields == [.year])
    #expect(DateTime(year: 2023, month: 2, day: 29).invalidFields == [.day])
    #expect(DateTime(year: 1900, month: 2, day: 29).invalidFields == [.day])
    #expect(DateTime(year: 0, month: 2, day: 29).invalidFields == [])
    #expect(
      DateTime(year: 10_000, month: 13, day: 32, hours: 24, minutes: 60, seconds: 60).invalidFields
        == DateTime.Field.allCases
    )
    #expect(DateTime(year: 65_535, month: 255, day: 255).secondsSince1970 == nil)
    #expect("\(DateTime(year: 0, month: 255, day: 0))" == "0000-255-00 00:00:00")
  }

  @Test func ordersByCalendar() {
    #expect(DateTime(year: 2025, month: 12, day: 31) < DateTime(year: 2026, month: 1, day: 1))
    #expect(!(DateTime(year: 2026, month: 1, day: 1, hours: 1) < DateTime(year: 2026, month: 1, day: 1, minutes: 59)))
  }
}
