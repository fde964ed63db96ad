import Foundation
import RecordCollector
import Testing

@testable import RecordStore

/// Stores that are opened to be read: no file is made, and what others write is seen or noticed.
@Suite struct ReadOnlyTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// A store with ten records, closed.
  private func fill() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
  }

  private func read(_ name: String = "meters.db") throws(StoreError) -> RecordStore {
    try RecordStore(reading: folder.path(name))
  }

  /// The files of a store that is in use, as a process that was killed leaves them.
  private func abandon(_ names: [String], as name: String) throws {
    let writer = try folder.open()
    _ = try writer.commit(Sample.batch(10...19), for: Sample.meter)
    for suffix in names {
      try folder.write(try folder.octets("meters.db" + suffix), as: name + suffix)
      try folder.set(permissions: 0o600, of: name + suffix)
    }
    withExtendedLifetime(writer) {}
  }

  @Test func readingLeavesEverythingAsItIs() throws {
    try fill()
    let before = try folder.octets()
    let store = try read()
    #expect(try store.allRecords().count == 10)
    #expect(try store.devices().count == 1)
    #expect(try store.runs(of: Sample.meter).isEmpty)
    #expect(try store.bonds().isEmpty)
    #expect(store.notices.isEmpty)
    #expect(try folder.names == ["meters.db"])
    #expect(try folder.octets() == before)
  }

  @Test func aStoreThatWasNeverWrittenToIsRead() throws {
    try folder.write(try StoreSchema.current.emptyStore(name: "new"), as: "meters.db")
    try folder.set(permissions: 0o600, of: "meters.db")
    #expect(try read().devices().isEmpty)
    #expect(try folder.names == ["meters.db"])
  }

  @Test func whatAnotherProcessHasJustWrittenIsSeen() throws {
    try fill()
    let writer = try folder.open()
    _ = try writer.commit(Sample.batch(10...19), for: Sample.meter)
    let names = try folder.names
    #expect(names == ["meters.db", "meters.db-shm", "meters.db-wal"])
    let store = try read()
    #expect(try store.allRecords().count == 20)
    _ = try writer.commit(Sample.batch(20...24), for: Sample.meter)
    #expect(try store.allRecords().count == 25)
    #expect(try folder.names == names)
    withExtendedLifetime(writer) {}
  }

  @Test func aReaderDoesNotKeepTheWriterFromWriting() throws {
    try fill()
    let writer = try folder.open()
    _ = try writer.commit(Sample.batch(10...19), for: Sample.meter)
    let store = try read()
    let counts = try store.snapshot { () throws(StoreError) -> [Int] in
      let before = try store.allRecords().count
      _ = try writer.commit(Sample.batch(20...29), for: Sample.meter)
      return [before, try store.allRecords().count]
    }
    #expect(counts == [20, 20])
    #expect(try store.allRecords().count == 30)
  }

  @Test func whatAKilledProcessLeftIsRead() throws {
    try fill()
    try abandon(["", "-wal", "-shm"], as: "left.db")
    let octets = try folder.octets("left.db")
    #expect(try read("left.db").allRecords().count == 20)
    #expect(try folder.names == ["left.db", "left.db-shm", "left.db-wal", "meters.db"])
    #expect(try folder.octets("left.db") == octets)
  }

  @Test func aLogWithoutItsIndexIsPutInOrder() throws {
    try fill()
    try abandon(["", "-wal"], as: "left.db")
    #expect(try read("left.db").allRecords().count == 20)
    #expect(try folder.names == ["left.db", "meters.db"])
  }

  @Test func anEmptyLogIsNone() throws {
    try fill()
    try folder.write([], as: "meters.db-wal")
    try folder.set(permissions: 0o600, of: "meters.db-wal")
    #expect(try read().allRecords().count == 10)
    #expect(try folder.names == ["meters.db", "meters.db-wal"])
  }

  @Test func aStoreThatChangesUnderTheReaderIsNoticed() throws {
    try fill()
    let store = try read()
    let error = storeError { () throws(StoreError) in
      try store.snapshot { () throws(StoreError) -> Void in
        // Opened, written and closed: the log is gone, and its pages are in the file.
        let writer = try folder.open()
        _ = try writer.commit(Sample.batch(10...999), for: Sample.meter)
      }
    }
    #expect(error?.kind == .busy)
    #expect(error?.message.hasSuffix("was written to while it was read.") == true)
    #expect(try read().allRecords().count == 1_000)
  }

  @Test func whatIsNoStoreIsRefusedAsEver() throws {
    func kind(_ name: String) -> StoreError.Kind? {
      storeError { () throws(StoreError) in _ = try read(name) }?.kind
    }
    #expect(kind("none.db") == .missing)
    #expect(kind("none/meters.db") == .missing)
    try folder.write([], as: "empty.db")
    #expect(kind("empty.db") == .foreign)
    try folder.write(Array("hello\n".utf8), as: "text.db")
    #expect(kind("text.db") == .foreign)
    #expect(kind("") == .foreign || kind("") == .missing)
    #expect(try folder.names == ["empty.db", "text.db"])
    #expect(try folder.octets("text.db") == Array("hello\n".utf8))
  }

  @Test func aNewerStoreIsRefused() throws {
    try fill()
    do { try folder.open().database.execute("PRAGMA user_version = 7") }
    #expect(storeError { () throws(StoreError) in _ = try read() }?.kind == .newer(version: 7))
  }

  @Test func anOlderStoreIsBroughtForward() throws {
    try fill()
    let step = StoreSchema.Step(
      sql: "ALTER TABLE devices ADD COLUMN note TEXT",
      setVersion: "PRAGMA user_version = 3"
    )
    let schema = StoreSchema(steps: StoreSchema.current.steps + [step])
    let store = try RecordStore(reading: folder.path(), schema: schema)
    #expect(store.notices == [.migrated(from: 2, to: 3)])
    #expect(try store.allRecords().count == 10)
  }

  @Test func looserRightsAreTakenAway() throws {
    try fill()
    try folder.set(permissions: 0o644, of: "meters.db")
    let store = try read()
    #expect(store.notices == [.madePrivate(path: folder.path())])
    #expect(try folder.permissions("meters.db") == 0o600)
    #expect(try store.allRecords().count == 10)
  }

  @Test func whetherThereIsAStoreIsToldWithoutMakingOne() throws {
    #expect(try !RecordStore.isThere(folder.path()))
    try folder.write([], as: "empty.db")
    #expect(try !RecordStore.isThere(folder.path("empty.db")))
    try fill()
    #expect(try RecordStore.isThere(folder.path()))
    let error = storeError { () throws(StoreError) in _ = try RecordStore.isThere(folder.path("none/meters.db")) }
    #expect(error?.kind == .missing)
    #expect(try folder.names == ["empty.db", "meters.db"])
  }
}
