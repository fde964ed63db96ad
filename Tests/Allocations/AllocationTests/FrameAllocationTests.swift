import Foundation
import Testing

/// Nothing is allocated for a frame: four times the frames of a link cost hardly more allocations.
///
/// A child process counts, since the counter replaces the allocator of the program that links it.
@Suite(.timeLimit(.minutes(5))) struct FrameAllocationTests {
  private static let records = [5_000, 20_000]

  /// What the counts may differ by: arrays that double twice more, for what is kept of the link and what is written.
  private static let slack = 64

  private static let counts: Result<[String: Int], any Error> = Result { try count() }

  /// Without optimisation the text of a record is built from copies, which say nothing of the program that is shipped:
  /// `make bench-check` counts those stages, and in a release build this test does.
  #if DEBUG
    private static let stages = ["walk", "track"]
  #else
    private static let stages = ["walk", "track", "show", "records"]
  #endif

  @Test(arguments: stages)
  func aFrameCostsNoAllocation(stage: String) throws {
    let counts = try Self.counts.get()
    let small = try #require(counts["\(stage)/one-link-\(Self.records[0])"])
    let large = try #require(counts["\(stage)/one-link-\(Self.records[1])"])
    #expect(small > 0, "the counter does not count")
    #expect(large - small <= Self.slack, "\(small) allocations for \(Self.records[0]) records, \(large) for four times")
  }

  /// What is learned of a device is put beside what is known of the others: four times the devices cost four times as
  /// much, not sixteen times.
  @Test func aDeviceCostsNoCopyOfTheOthers() throws {
    let counts = try Self.counts.get()
    let few = try #require(counts["octets/devices-\(Self.records[0] / 10)"])
    let many = try #require(counts["octets/devices-\(Self.records[1] / 10)"])
    #expect(few > 0, "the counter does not count")
    #expect(many < 6 * few, "\(few) octets for 500 devices, \(many) for four times as many")
  }

  private static func count() throws -> [String: Int] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("count-allocations")
    process.arguments = records.map(String.init)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    var counts: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2 { counts[String(words[0])] = Int(words[1]) }
    }
    return counts
  }
}
