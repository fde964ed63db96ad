import HealthProfiles
import Testing

@testable import Reporting

/// A time that is written into its column without a text of its own looks like one that is.
@Suite struct DateTimeColumnTests {
  private static let times = [
    DateTime(year: 2026, month: 1, day: 5, hours: 7, minutes: 30, seconds: 0),
    DateTime(year: 0, month: 0, day: 0, hours: 0, minutes: 0, seconds: 0),
    DateTime(year: 9999, month: 99, day: 99, hours: 99, minutes: 99, seconds: 99),
    DateTime(year: 10_000, month: 12, day: 31, hours: 23, minutes: 59, seconds: 59),
    DateTime(year: 65_535, month: 255, day: 255, hours: 255, minutes: 255, seconds: 255),
  ]

  @Test(arguments: times, [14, 19, 20, 21]) func itIsTheText(_ time: DateTime, width: Int) {
    var expected = OutputBuffer()
    expected.append(time.description, columns: width)
    var output = OutputBuffer()
    output.append(time, columns: width)
    #expect(output.text == expected.text)
    #expect(TextColumns.count(output.text) == width)
  }

  @Test(arguments: times) func withoutItsYear(_ time: DateTime) {
    var expected = OutputBuffer()
    let text = time.description
    expected.append(text.count == 19 ? String(text.dropFirst(5)) : text, columns: 14)
    var output = OutputBuffer()
    output.append(time, columns: 14, withoutYear: time.year)
    #expect(output.text == expected.text)
    var other = OutputBuffer()
    other.append(time, columns: 14, withoutYear: time.year ^ 1)
    #expect(other.text.hasSuffix("…"))
  }

  @Test func noneIsBlank() {
    var output = OutputBuffer()
    output.append(nil, columns: 3)
    #expect(output.text == "   ")
  }

  @Test(
    arguments: ["", "plain text", "a › b and more", "\u{4E2D}\u{6587}\u{5B57}", "e\u{301}e\u{301}"],
    [0, 1, 4, 9, 80]
  )
  func aBufferIsCutAsTextIs(_ text: String, to limit: Int) {
    var output = OutputBuffer()
    output.append(text)
    output.cut(to: limit)
    #expect(output.text == TextColumns.cut(text, to: limit))
    output.clear()
    #expect(output.octets.isEmpty && output.count == 0)
  }
}
