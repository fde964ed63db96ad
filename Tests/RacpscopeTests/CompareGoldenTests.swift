import Foundation
import Testing

/// What `compare` prints over pairs of samples, word for word; `UPDATE_GOLDEN=1` writes it anew.
@Suite struct CompareGoldenTests {
  static let pairs: [(first: String, second: String, status: Int32)] = [
    ("link-loss-skip.btsnoop", "first-sync.btsnoop", 1),
    ("first-sync.btsnoop", "link-loss-skip.btsnoop", 0),
    ("first-sync.btsnoop", "first-sync.meter.btsnoop", 0),
    ("silence.btsnoop", "first-sync.btsnoop", 0),
    ("overlap-accepted.btsnoop", "first-sync.btsnoop", 0),
    ("mid-connection-start.pcap", "first-sync.btsnoop", 1),
    ("android-headers.btsnoop", "first-sync.btsnoop", 1),
    ("no-result.btsnoop", "no-encryption.btsnoop", 1),
    ("bonded-reconnect.btsnoop", "first-sync.btsnoop", 1),
    ("first-sync.btsnoop", "insulin-pump.pcapng", 0),
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/compare")

  @Test(arguments: pairs)
  func everyPairIsToldAsItWas(pair: (first: String, second: String, status: Int32)) throws {
    let run = try CommandRun(["compare", "--utc", "samples/" + pair.first, "samples/" + pair.second])
    #expect(run.complaint.isEmpty)
    #expect(run.status == pair.status, "\(pair.first) against \(pair.second)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let golden = Self.folder.appendingPathComponent("\(pair.first)-\(pair.second).txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try run.output.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(run.output == expected, "\(pair.first) against \(pair.second) prints something else")
  }
}
