import BluetoothWire
import Foundation
import RecordCollector
import RecordStore
import Testing

/// One writer a meter.
@Suite struct LockTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func holder() throws -> WriterRun {
    let run = try WriterRun(["hold", folder.path(), Sample.meter.description])
    #expect(run.firstLine() == "held")
    return run
  }

  @Test func theSecondIsToldWhoHoldsIt() throws {
    let run = try holder()
    defer { run.kill() }
    let store = try folder.open()
    let error = storeError { () throws(StoreError) in _ = try store.lock(Sample.meter, command: "second") }
    let expected = LockHolder(process: run.identifier, command: "store-writer hold")
    #expect(error?.kind == .held(expected))
    #expect(error?.message == "F0:0D:CA:FE:00:01 is being synced by process \(run.identifier) (store-writer hold).")
  }

  @Test func theLockEndsWithItsProcess() throws {
    let run = try holder()
    run.kill()
    _ = run.lines()
    let store = try folder.open()
    let lock = try store.lock(Sample.meter, command: "after")
    withExtendedLifetime(lock) {}
  }

  @Test func aLockThatIsGivenBackLeavesNoFile() throws {
    let run = try holder()
    try run.endInput()
    _ = run.lines()
    let store = try folder.open()
    do {
      let lock = try store.lock(Sample.meter, command: "first")
      #expect(try folder.names.contains("meters.db.lock-F00DCAFE0001-random"))
      #expect(try folder.permissions("meters.db.lock-F00DCAFE0001-random") == 0o600)
      withExtendedLifetime(lock) {}
    }
    #expect(try !folder.names.contains { $0.contains(".lock-") })
  }

  @Test func anotherMeterIsFree() throws {
    let run = try holder()
    defer { run.kill() }
    let store = try folder.open()
    let samePublic = DeviceAddress(value: Sample.meter.value, isRandom: false)
    let locks = [
      try store.lock(Sample.otherMeter, command: "other"), try store.lock(samePublic, command: "public"),
    ]
    #expect(locks.count == 2)
  }

  @Test func twoNamesOfOneStoreAreOneStore() throws {
    let run = try holder()
    defer { run.kill() }
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.db"), withDestinationPath: folder.path())
    let store = try RecordStore(path: folder.path("link.db"))
    let error = storeError { () throws(StoreError) in _ = try store.lock(Sample.meter, command: "second") }
    guard case .held = error?.kind else {
      Issue.record("locked under its other name")
      return
    }
  }

  @Test func oneProcessCannotHoldItTwice() throws {
    let store = try folder.open()
    let lock = try store.lock(Sample.meter, command: "first")
    let error = storeError { () throws(StoreError) in _ = try folder.open().lock(Sample.meter, command: "second") }
    #expect(error?.kind == .held(LockHolder(process: ProcessInfo.processInfo.processIdentifier, command: "first")))
    withExtendedLifetime(lock) {}
  }

  /// Many at once, some of which end while others begin: never two of them.
  @Test func takingAndGivingBackNeverLetsTwoIn() async throws {
    let path = folder.path()
    _ = try folder.open()
    let turns = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = try RecordStore(path: path)
          var taken = 0
          for _ in 0..<200 {
            guard let lock = try? store.lock(Sample.meter, command: "turn") else { continue }
            // Whoever has the lock is alone with this file.
            let mine = Foundation.open(path + ".inside", O_CREAT | O_EXCL | O_WRONLY, 0o600)
            #expect(mine >= 0)
            close(mine)
            unlink(path + ".inside")
            taken += 1
            withExtendedLifetime(lock) {}
          }
          return taken
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(turns > 0)
  }

  @Test func twoProcessesWriteDifferentMetersAtOnce() throws {
    let store = try folder.open()
    let run = try WriterRun(["commit", folder.path(), "100", "5"])
    for first in stride(from: UInt16(0), to: 500, by: 5) {
      _ = try store.commit(Sample.batch(first...(first + 4)), for: Sample.otherMeter)
    }
    #expect(run.lines().last == "committed 0 499")
    #expect(run.status == 0)
    #expect(try store.memory(of: Sample.otherMeter).heldRecords == 500)
    #expect(try store.memory(of: Sample.meter).heldRecords == 500)
  }
}
