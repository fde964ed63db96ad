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

  @Test(arguments: pairs)
  func everyPairIsToldAsItWas(pair: (first: String, second: String, status: Int32)) throws {
    let run = try CommandRun(["compare", "--utc", "samples/" + pair.first, "samples/" + pair.second])
    #expect(run.complaint.isEmpty)
    #expect(run.status == pair.status, "\(pair.first) against \(pair.second)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    try GoldenFile.expect(run.output, toBe: "\(pair.first)-\(pair.second)", in: "compare")
  }
}
