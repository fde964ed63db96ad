import Foundation
import Testing

@testable import RecordCollector

/// The page about the state machine names its states, its outcomes and its times as they are in the code.
@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names of the cases of an enumeration, which begin a line of this indentation.
  private static func cases(of file: String, after opening: String, indentation: Int) throws -> [String] {
    let text = try text("Sources/RecordCollector/" + file)
    let body = try #require(text.components(separatedBy: opening).dropFirst().first)
    let prefix = String(repeating: " ", count: indentation) + "case "
    var names: [String] = []
    for line in body.split(separator: "\n") {
      if line.hasPrefix(prefix) { names.append(String(line.dropFirst(prefix.count).prefix(while: \.isLetter))) }
      if line.hasPrefix(String(repeating: " ", count: indentation - 2) + "}") { break }
    }
    return names
  }

  private static func rows() throws -> [[String]] {
    let part = try #require(try text("docs/collector.md").components(separatedBy: "## Each transition").last)
    let table = part.components(separatedBy: "\n## ")[0]
    return table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func everyStateIsInTheDiagramAndInTheTable() throws {
    let phases = try Self.cases(of: "RecordCollector.swift", after: "enum Phase: Sendable {", indentation: 4)
    #expect(phases.count == 6)
    let diagram = try Self.text("docs/collector.md").components(separatedBy: "```")[1]
    let from = try Self.rows().map { $0[0] }
    for phase in phases {
      let words = phase.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
      #expect(diagram.contains(words), "\(words)")
      // Nothing leads on from the last one.
      if phase != "finished" { #expect(from.contains { $0.contains(words) }, "\(words)") }
    }
  }

  @Test func everyOutcomeIsTheEndOfATransition() throws {
    let opening = "enum SyncOutcome: Hashable, Sendable {"
    let outcomes = try Self.cases(of: "SyncOutcome.swift", after: opening, indentation: 2)
    #expect(outcomes.count == 15)
    let ends = try Self.rows().map { $0[2] }
    for outcome in outcomes { #expect(ends.contains { $0.contains("`\(outcome)`") }, "\(outcome)") }
  }

  @Test func everyTransitionHasItsClause() throws {
    let rows = try Self.rows()
    #expect(rows.count > 50)
    for row in rows {
      #expect(row.count == 4, "\(row)")
      #expect(row.last?.contains { $0.isNumber } == true, "\(row)")
    }
    for wanted in ["store failure", "late records", "unanswered write", "new epoch"] {
      #expect(rows.contains { $0.joined().contains("**\(wanted)**") }, "\(wanted)")
    }
  }

  @Test func theTimesAreThoseOfTheCode() throws {
    func seconds(_ nanoseconds: UInt64) -> String {
      nanoseconds % CollectorTiming.second == 0
        ? "\(nanoseconds / CollectorTiming.second) s" : "0.\(nanoseconds / (CollectorTiming.second / 10)) s"
    }
    let rows = try Self.rows()
    func expect(_ time: UInt64, _ mark: String, times: String = "") {
      let row = rows.first { $0.joined(separator: "|").contains(mark) }
      #expect(row?.joined(separator: "|").contains(seconds(time)) == true, "\(mark): \(seconds(time))")
      if !times.isEmpty { #expect(row?.joined().contains(times) == true, "\(mark): \(times)") }
    }
    expect(CollectorTiming.attributeResponse, "without a response")
    expect(CollectorTiming.recordAccess, "without anything")
    expect(CollectorTiming.security, "without an end of pairing")
    expect(CollectorTiming.busyPause, "ATT 0x80 (0xFE)", times: "\(CollectorTiming.busyAttempts) times")
    expect(CollectorTiming.trailingRecords, "success without a record")
    expect(CollectorTiming.lastRecords, "nothing more is to be asked")
    expect(CollectorTiming.courtesy, "unanswered write")
    expect(CollectorTiming.courtesy, "person stops|")
  }
}
