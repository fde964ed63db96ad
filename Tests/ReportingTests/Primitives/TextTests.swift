import Reporting
import Testing

@Suite struct TextTests {
  @Test(
    arguments: [
      ([0x1B, 0x5B, 0x32, 0x4A], #"\u{1b}[2J"#),
      ([0xE2, 0x80, 0xAE, 0x61], #"\u{202e}a"#),
      ([0x61, 0xFF], #"a\x{ff}"#),
      ([0x5C], #"\\"#),
      ([0xC2, 0x9B], #"\u{9b}"#),
      ([0x47, 0x6C, 0xC3, 0xBC], "Glü"),
      ([0x0A], #"\u{a}"#),
    ] as [([UInt8], String)]
  )
  func terminalText(octets: [UInt8], expected: String) {
    #expect(TextEscaping.terminal(octets) == expected)
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""), ("=1+1", "\"'=1+1\""),
    ("@x", "\"'@x\""), ("-", "\"'-\""), ("two\nlines", "\"two\nlines\""), ("", ""),
  ])
  func csvText(text: String, expected: String) {
    var output = OutputBuffer()
    output.append(csv: text)
    #expect(output.text == expected)
  }

  @Test(
    arguments: [
      (0, "0 s"), (340, "340 µs"), (12_000, "12 ms"), (410_000, "0.41 s"), (9_994_999, "9.99 s"),
      (12_340_000, "12.3 s"),
      (59_960_000, "1 min"), (200_000_000, "3 min 20 s"), (7_500_000_000, "2 h 5 min"), (273_600_000_000, "3 d 4 h"),
      (-410_000, "-0.41 s"),
    ] as [(Int64, String)]
  )
  func durations(microseconds: Int64, expected: String) {
    #expect(TimeText.duration(microseconds) == expected)
  }

  @Test(
    arguments: [
      (1_767_598_262_118_000, "2026-01-05T07:31:02.118+00:00"), (0, "1970-01-01T00:00:00.000+00:00"),
      (-1, "1969-12-31T23:59:59.999+00:00"), (951_782_400_000_000, "2000-02-29T00:00:00.000+00:00"),
    ] as [(Int64, String)]
  )
  func timestamps(time: Int64, expected: String) {
    var text = TimeText(.utc)
    #expect(text.timestamp(time) == expected)
  }

  @Test func extremeTimesAreNoTraps() {
    var text = TimeText(.local)
    #expect(!text.timestamp(.max).isEmpty)
    #expect(!text.timestamp(.min).isEmpty)
    #expect(TimeText.duration(.min).hasPrefix("-"))
  }

  @Test func columnsCountWhatIsSeen() {
    #expect(TextColumns.count("abc") == 3)
    #expect(TextColumns.count("血糖") == 4)
    #expect(TextColumns.count("e\u{301}") == 1)
    #expect(TextColumns.cut("abcdef", to: 4) == "abc…")
    #expect(TextColumns.cut("血糖計", to: 5) == "血糖…")
    var output = OutputBuffer()
    output.append("7", columns: 3, alignment: .right)
    output.append("ab", columns: 3)
    output.append("|")
    #expect(output.text == "  7ab |")
  }

  @Test func colourIsAChoice() {
    var output = OutputBuffer()
    output.append("x", as: .good, on: Terminal())
    output.append("x", as: .good, on: Terminal(hasColour: true))
    #expect(output.text == "x\u{1B}[32mx\u{1B}[0m")
  }
}
