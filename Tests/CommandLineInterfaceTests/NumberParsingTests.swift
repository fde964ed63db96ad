import CommandLineInterface
import Testing

@Suite struct NumberParsingTests {
  @Test(arguments: [
    ("10-200", 10...200), ("10-", 10...UInt32.max), ("-200", 0...200), ("10", 10...10), ("0", 0...0),
    ("4294967295", UInt32.max...UInt32.max), ("5-5", 5...5), ("007", 7...7),
  ])
  func range(_ text: String, _ expected: ClosedRange<UInt32>) throws {
    #expect(try parseRange(text) == expected)
  }

  @Test(arguments: ["", "-", "a", "1-b", "b-1", "1-2-3", "--1", "+1", "1-+2", "4294967296", " 1", "1 - 2", "0x10", "١"])
  func notARange(_ text: String) {
    #expect(throws: UsageError("'\(text)' is not a range", hint: "write a range as 10-200, 10-, -200 or 10")) {
      try parseRange(text)
    }
  }

  @Test func anInvertedRange() {
    #expect(throws: UsageError("the range '9-3' ends before it begins", hint: "write it as 3-9")) {
      try parseRange("9-3")
    }
  }

  @Test func number() {
    #expect(parseNumber("42") == 42)
    #expect(parseNumber("") == nil)
    #expect(parseNumber("+42") == nil)
    #expect(parseNumber("-42") == nil)
    #expect(parseNumber("4294967296") == nil)
  }
}
