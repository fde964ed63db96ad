import CSQLite
import Glibc
import Testing

@testable import RecordStore

/// Every failure of a store is one plain sentence, with the way out.
@Suite struct StoreErrorTests {
  private static let codes: [Int32] = [
    SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN,
    SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_NOMEM, SQLITE_ERROR, SQLITE_IOERR | 3 << 8, SQLITE_READONLY | 5 << 8,
  ]
  private static let numbers: [Int32] = [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, EISDIR, EMFILE, ENOSPC, EDQUOT, EIO]

  private func check(_ error: StoreError) {
    #expect(error.message.hasSuffix("."), "\(error.message)")
    #expect(!error.message.dropLast().contains(". "), "\(error.message)")
    #expect(error.hint.hasSuffix("."), "\(error.message) \(error.hint)")
  }

  @Test(arguments: codes) func aCodeOfSQLite(code: Int32) {
    check(StoreError(code: code, detail: "detail", store: "meters.db"))
  }

  @Test(arguments: numbers) func anErrorOfTheSystem(number: Int32) {
    check(SystemFailure.error(number, "meters.db", "opened"))
  }

  @Test func whatTheStoreItselfRefuses() throws {
    let folder = try StoreFolder()
    check(.refused("The mark 9 is above every record."))
    check(.damaged("Record 1 has more variants than it should."))
    check(StoreFile.missing("meters.db"))
    check(StoreFile.empty("meters.db"))
    let store = try folder.open()
    let lock = try store.lock(Sample.meter, command: "racpscope sync")
    let held = storeError { () throws(StoreError) in _ = try store.lock(Sample.meter, command: "") }
    check(try #require(held))
    withExtendedLifetime(lock) {}
  }

  /// It stands in the outcome of a run and in notices.
  @Test func asTextItIsItsSentence() {
    let error = StoreError(code: SQLITE_FULL, detail: "", store: "meters.db")
    #expect("\(error)" == "meters.db cannot grow: the disk is full.")
    #expect("\(error as any Error)" == "meters.db cannot grow: the disk is full.")
  }
}
