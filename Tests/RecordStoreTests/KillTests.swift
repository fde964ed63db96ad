import Foundation
import RecordStore
import Testing

/// A writer that is killed at any moment leaves whole batches, and everything it had said was stored.
@Suite struct KillTests {
  @Test(arguments: [1, 7, 200]) func everyBatchIsThereWholeOrNotAtAll(size: Int) throws {
    var random = SystemRandomNumberGenerator()
    var committed = 0
    for _ in 0..<6 {
      let folder = try StoreFolder()
      let ledger = BatchLedger(size: size)
      var reached: BatchLedger.Reached = (0, -1)
      for turn in 0..<20 {
        let run = try WriterRun(["commit", folder.path(), "100000", String(size)])
        // From before the store is open, and from the first commit on.
        if turn % 3 > 0 { _ = run.firstLine() }
        usleep(UInt32.random(in: 0..<10_000, using: &random))
        run.kill()
        let lines = run.lines()
        reached = try ledger.check(folder.open(), from: reached, acknowledged: lines)
        committed += lines.count
      }
      // A draft of a store that was never put in its place is all that a kill may leave.
      #expect(try folder.names.filter { !$0.contains(".new-") } == ["meters.db"])
    }
    #expect(committed >= 80)
  }

  /// The first moments are the making of the file: it is there as an empty store, or it is not there.
  @Test func aStoreIsNeverThereInPart() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let folder = try StoreFolder()
      let run = try WriterRun(["commit", folder.path(), "1", "3"])
      usleep(UInt32.random(in: 0..<8_000, using: &random))
      run.kill()
      let lines = run.lines()
      let store = try RecordStore(path: folder.path())
      try BatchLedger(size: 3).check(store, acknowledged: lines)
    }
  }
}
