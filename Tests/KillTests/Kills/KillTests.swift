import Foundation
import Testing

/// A collector that is killed at any moment loses no record and stores none twice.
@Suite(.serialized) struct KillTests {
  private static let seed =
    ProcessInfo.processInfo.environment["KILL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
  private static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 1_000

  @Test(.timeLimit(.minutes(5))) func aThousandKillsLoseAndDoubleNothing() throws {
    print("kills: seed \(Self.seed) (KILL_SEED=\(Self.seed) repeats the choices)")
    // Memory where there is some: the test is about order, not about the disk.
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    var done = 0
    var round: UInt64 = 0
    while done < Self.kills {
      let path = "\(folder)/kills-\(getpid())-\(round).db"
      defer {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      }
      var bench = KillBench(store: path, seed: Self.seed &+ round)
      // A store that has been through a hundred kills makes room for an empty one.
      while bench.kills < min(100, Self.kills - done) { try bench.live() }
      #expect(bench.syncs > 0)
      done += bench.kills
      round += 1
    }
    #expect(done == Self.kills)
  }
}
