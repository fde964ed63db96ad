import Foundation
import RecordCollector
import Testing

@testable import RecordStore

/// The file of a store: what is made, what is refused, who may read it.
@Suite struct FileTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func failure(_ path: String, creating: Bool = true) -> StoreError? {
    storeError { () throws(StoreError) in _ = try RecordStore(path: path, creating: creating) }
  }

  @Test func everyFileIsPrivateFromTheStart() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    #expect(try folder.names == ["meters.db", "meters.db-shm", "meters.db-wal"])
    for name in try folder.names { #expect(try folder.permissions(name) == 0o600, "\(name)") }
    #expect(store.notices.isEmpty)
  }

  @Test func settingsAreThoseOfASafeStore() throws {
    let database = try folder.open().database
    #expect(try database.number("PRAGMA foreign_keys") == 1)
    #expect(try database.number("PRAGMA synchronous") == 2)
    #expect(try database.number("PRAGMA secure_delete") == 1)
    #expect(try database.number("PRAGMA user_version") == 2)
    #expect(try database.number("PRAGMA application_id") == 0x5241_4350)
    let mode = try database.prepare("PRAGMA journal_mode")
    #expect(try mode.next())
    #expect(mode.text(0) == "wal")
  }

  @Test func looserRightsAreTakenAwayWithANotice() throws {
    let keeper = try folder.open()
    _ = try keeper.commit(Sample.batch(0...9), for: Sample.meter)
    for name in try folder.names { try folder.set(permissions: 0o644, of: name) }
    let store = try folder.open()
    #expect(store.notices.map { "\($0)".hasSuffix("now only you can read it.") } == [true, true, true])
    for name in try folder.names { #expect(try folder.permissions(name) == 0o600, "\(name)") }
    #expect(try folder.open().notices.isEmpty)
    withExtendedLifetime(keeper) {}
  }

  @Test func aMissingStoreIsNotMadeByReading() throws {
    #expect(failure(folder.path(), creating: false)?.kind == .missing)
    #expect(try folder.names.isEmpty)
  }

  @Test func aMissingFolderIsNamed() throws {
    let error = failure(folder.path("none/meters.db"))
    #expect(error?.kind == .missing)
    #expect(error?.message.contains("the folder \(folder.path("none")) does not exist") == true)
    #expect(error?.hint.isEmpty == false)
  }

  @Test func aFolderIsNoStore() throws {
    #expect(failure(folder.url.path)?.kind == .foreign)
    try folder.write([1], as: "file")
    #expect(failure(folder.path("file/meters.db"))?.kind == .missing)
  }

  @Test(arguments: [
    Array("hello\n".utf8), Array("SQLite format 3\0".utf8), Array(repeating: 0, count: 5_000),
    Array("SQLite format 3\0".utf8) + Array(repeating: 0xFF, count: 5_000),
  ])
  func aFileOfAnotherKindIsLeftAsItIs(octets: [UInt8]) throws {
    try folder.write(octets, as: "meters.db")
    let error = failure(folder.path())
    #expect(error?.kind == .foreign)
    #expect(try folder.octets() == octets)
    #expect(try folder.names == ["meters.db"])
  }

  @Test func theDatabaseOfAnotherProgramIsLeftAsItIs() throws {
    try folder.write([], as: "meters.db")
    do {
      let other = try Database(path: folder.path(), name: "other", mode: .readWrite)
      try other.execute("CREATE TABLE devices (a); INSERT INTO devices VALUES (1); PRAGMA user_version = 1")
    }
    try folder.set(permissions: 0o644, of: "meters.db")
    let before = try folder.octets()
    let error = failure(folder.path())
    #expect(error?.kind == .foreign)
    #expect(error?.message.hasSuffix("is not a racpscope store.") == true)
    #expect(try folder.octets() == before)
    #expect(try folder.names == ["meters.db"])
    #expect(try folder.permissions("meters.db") == 0o644)
  }

  @Test func anotherProgramsDatabaseInUseIsLeftAsItIs() throws {
    try folder.write([], as: "meters.db")
    let other = try Database(path: folder.path(), name: "other", mode: .readWrite)
    try other.execute("PRAGMA journal_mode = WAL; CREATE TABLE a (b); INSERT INTO a VALUES (1)")
    let before = try folder.names.map { try folder.octets($0) }
    #expect(failure(folder.path())?.kind == .foreign)
    #expect(try folder.names.map { try folder.octets($0) } == before)
    #expect(try other.number("SELECT b FROM a") == 1)
  }

  @Test func anEmptyFileBecomesAStoreOnlyWhereOneMayBeMade() throws {
    try folder.write([], as: "meters.db")
    #expect(failure(folder.path(), creating: false)?.kind == .foreign)
    #expect(try folder.octets().isEmpty)
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...1), for: Sample.meter)
    #expect(try folder.permissions("meters.db") == 0o600)
  }

  @Test(arguments: ["-wal", "-journal"]) func theLogOfAnotherDatabaseIsNotPlayedIntoANewStore(suffix: String) throws {
    try folder.write([1, 2, 3], as: "meters.db" + suffix)
    #expect(failure(folder.path())?.kind == .foreign)
    #expect(try folder.names == ["meters.db" + suffix])
  }

  @Test func aNewerStoreIsRefusedAndLeftAsItIs() throws {
    do {
      let store = try folder.open()
      try store.database.execute("PRAGMA user_version = 7")
    }
    let before = try folder.octets()
    let error = failure(folder.path())
    #expect(error?.kind == .newer(version: 7))
    #expect(error?.message.hasSuffix("is of version 7, and this program knows stores up to version 2.") == true)
    #expect(try folder.octets() == before)
  }

  @Test func aDamagedStoreSaysSo() throws {
    do {
      let store = try folder.open()
      _ = try store.commit(Sample.batch(0...999), for: Sample.meter)
    }
    var octets = try folder.octets()
    for place in 8_192..<octets.count { octets[place] = 0x55 }
    try folder.write(octets, as: "meters.db")
    let error = storeError { () throws(StoreError) in
      let store = try RecordStore(path: folder.path())
      _ = try store.devices()
      _ = try store.allRecords()
    }
    #expect(error?.kind == .corrupt)
  }

  @Test(arguments: ["a b.db", "what?.db", "50%.db", "#1.db", "ä.db", "file:x.db"])
  func anyNameWillDo(name: String) throws {
    let store = try RecordStore(path: folder.path(name))
    _ = try store.commit(Sample.batch(0...1), for: Sample.meter)
    #expect(try RecordStore(path: folder.path(name), creating: false).allRecords().count == 2)
    #expect(try folder.names.allSatisfy { $0.hasPrefix(name) })
  }

  @Test func manyCanMakeOneStoreAtOnce() async throws {
    let path = folder.path()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let store = try RecordStore(path: path)
          _ = try store.commit(Sample.batch([Sample.record(UInt16(number))]), for: Sample.meter)
        }
      }
      try await group.waitForAll()
    }
    #expect(try folder.open().allRecords().count == 8)
    #expect(try !folder.names.contains { $0.contains(".new-") })
  }
}
