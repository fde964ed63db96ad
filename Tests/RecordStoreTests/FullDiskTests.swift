import RecordCollector
import Testing

@testable import RecordStore

/// A disk that is full, at whatever write that shows.
@Suite struct FullDiskTests {
  /// No file may grow beyond a limit, which falls on another write each time: of the log, of a checkpoint, of the index.
  @Test(arguments: Array(stride(from: 33_000, to: 220_000, by: 2_311)))
  func aWriteThatFailsLeavesWholeBatches(limit: Int) throws {
    let folder = try StoreFolder()
    _ = try folder.open()
    let run = try WriterRun(["limited", folder.path(), String(limit), "9"])
    let lines = run.lines()
    #expect(run.status == 1)
    let complaint = try #require(lines.last)
    #expect(complaint.hasPrefix("error full") || complaint.hasPrefix("error inputOutput"), "\(complaint)")
    let store = try folder.open()
    let reached = try BatchLedger(size: 9).check(store, acknowledged: lines)
    // With room again it goes on where it was.
    let more = try WriterRun(["commit", folder.path(), "2", "9"])
    #expect(more.lines().last == "committed \(reached.epoch) \(reached.mark + 18)")
  }

  @Test func aStoreThatCannotBeMadeIsNotThere() throws {
    let folder = try StoreFolder()
    let run = try WriterRun(["limited", folder.path(), "4096", "9"])
    let lines = run.lines()
    #expect(run.status == 1)
    #expect(lines.count == 1)
    #expect(try folder.names.isEmpty)
  }

  @Test func aDatabaseThatMayNotGrowSaysThatTheDiskIsFull() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    try store.database.execute("PRAGMA max_page_count = 40")
    var next: UInt16 = 10
    var error: StoreError?
    while error == nil, next < 20_000 {
      let batch = Sample.batch(next...(next + 99))
      error = storeError { () throws(StoreError) in _ = try store.commit(batch, for: Sample.meter) }
      if error == nil { next += 100 }
    }
    #expect(error?.kind == .full)
    #expect(error?.message.hasSuffix("the disk is full.") == true)
    #expect(try store.memory(of: Sample.meter).mark == next - 1)
    #expect(try store.memory(of: Sample.meter).heldRecords == Int(next))
    try store.database.execute("PRAGMA max_page_count = 1000000")
    _ = try store.commit(Sample.batch(next...(next + 99)), for: Sample.meter)
    #expect(try store.memory(of: Sample.meter).mark == next + 99)
  }
}
