import Testing

@testable import CommandLineInterface

@Suite struct NearMissTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("records", "recrods", 1),
    ("show", "shows", 1), ("show", "snow", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func distance(_ left: String, _ right: String, _ expected: Int) {
    #expect(editDistance(left, right) == expected)
    #expect(editDistance(right, left) == expected)
  }

  @Test func theNearestCandidateWinsAndShortWordsDoNotMatchAnything() {
    #expect(nearMiss(of: "rule", in: ["role-play", "rules", "rile"]) == "rules")
    #expect(nearMiss(of: "xy", in: ["db", "ab"]) == nil)
    #expect(nearMiss(of: "", in: ["db"]) == nil)
    #expect(nearMiss(of: "records", in: []) == nil)
  }
}
