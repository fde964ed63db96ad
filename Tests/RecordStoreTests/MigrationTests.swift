import Foundation
import RecordCollector
import Testing

@testable import RecordStore

/// Stores of older versions.
@Suite struct MigrationTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private static let second = StoreSchema.Step(
    sql: "ALTER TABLE devices ADD COLUMN note TEXT; UPDATE devices SET note = 'known'",
    setVersion: "PRAGMA user_version = 3"
  )
  private static let third = StoreSchema.Step(
    sql: "CREATE TABLE notes (device_id INTEGER); INSERT INTO notes SELECT id FROM devices",
    setVersion: "PRAGMA user_version = 4"
  )
  private static let broken = StoreSchema.Step(
    sql: "CREATE TABLE half (a); INSERT INTO nothing VALUES (1)",
    setVersion: "PRAGMA user_version = 4"
  )

  private func open(_ steps: [StoreSchema.Step]) throws(StoreError) -> RecordStore {
    let schema = StoreSchema(steps: StoreSchema.current.steps + steps)
    return try RecordStore(path: folder.path(), creating: true, schema: schema)
  }

  /// A store as the first released version wrote it, from its frozen text: no later change of the program reaches it.
  private func writeFirstVersion() throws {
    let text = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/version-1.sql"),
      encoding: .utf8
    )
    try folder.write([], as: "meters.db")
    try folder.set(permissions: 0o600, of: "meters.db")
    try SQLText.run(text, path: folder.path())
  }

  @Test func aStoreOfTheFirstVersionIsReadAndWritten() throws {
    try writeFirstVersion()
    let store = try folder.open()
    #expect(store.notices == [.migrated(from: 1, to: 2)])
    let memory = try store.memory(of: Sample.meter)
    #expect(memory.mark == 2)
    #expect(memory.isBonded)
    #expect(memory.identity?.name == "GM-1")
    #expect(try store.allRecords().map(\.record.sequenceNumber) == [0, 1, 2])
    #expect(try store.allRecords().last?.record == Sample.record(2, meals: [1]))
    #expect(try store.bond(with: Sample.meter) == BondSample.bond)
    #expect(try store.runs(of: Sample.meter).map(\.outcome) == ["synced"])
    _ = try store.commit(Sample.batch(3...5), for: Sample.meter)
    #expect(try store.memory(of: Sample.meter).heldRecords == 6)
  }

  @Test func theFirstVersionIsStillMadeAsItWas() throws {
    try writeFirstVersion()
    let frozen = try SQLText.schema(path: folder.path())
    _ = try RecordStore(
      path: folder.path("new.db"),
      creating: true,
      schema: StoreSchema(steps: Array(StoreSchema.current.steps.prefix(1)))
    )
    #expect(try SQLText.schema(path: folder.path("new.db")) == frozen)
  }

  /// The store of the second version, from the first one and from nothing, is the same.
  @Test func theSecondVersionIsTheSameWhereverItComesFrom() throws {
    try writeFirstVersion()
    _ = try folder.open()
    _ = try RecordStore(path: folder.path("new.db"), creating: true, schema: .current)
    #expect(try SQLText.schema(path: folder.path()) == SQLText.schema(path: folder.path("new.db")))
  }

  @Test func anOlderStoreIsBroughtForwardWithWhatItHolds() throws {
    try writeFirstVersion()
    let store = try open([Self.second, Self.third])
    #expect(store.notices == [.migrated(from: 1, to: 4)])
    #expect(try store.database.number("PRAGMA user_version") == 4)
    #expect(try store.database.number("SELECT count(*) FROM notes") == 1)
    #expect(try store.database.number("SELECT count(*) FROM devices WHERE note = 'known'") == 1)
    #expect(try store.allRecords().count == 3)
    #expect(try open([Self.second, Self.third]).notices.isEmpty)
  }

  @Test func aNewStoreHasTheNewestVersionAtOnce() throws {
    let store = try open([Self.second])
    #expect(store.notices.isEmpty)
    #expect(try store.database.number("PRAGMA user_version") == 3)
  }

  @Test func aStepThatFailsLeavesTheOldVersionWhole() throws {
    try writeFirstVersion()
    let error = storeError { () throws(StoreError) in _ = try open([Self.second, Self.broken]) }
    #expect(error != nil)
    #expect(try SQLText.number("PRAGMA user_version", path: folder.path()) == 1)
    let store = try folder.open()
    #expect(try store.database.number("PRAGMA user_version") == 2)
    #expect(try store.database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0)
    #expect(try store.allRecords().count == 3)
  }

  @Test func anOlderProgramRefusesTheStoreOfANewerOne() throws {
    _ = try open([Self.second])
    let error = storeError { () throws(StoreError) in _ = try folder.open() }
    #expect(error?.kind == .newer(version: 3))
  }
}
