import BluetoothWire
import Foundation
import HealthProfiles
import RecordCollector
import RecordStore
import Testing

/// `store` and `sync` leave no file behind that was not there, and read where nothing can be written.
@Suite struct StoreReadOnlyTests {
  private let folder: ScratchFolder
  private static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  private static let reading = [["list"], ["records"], ["runs"], ["export"], ["export", "--format", "csv"]]

  init() throws {
    folder = try ScratchFolder()
    let store = try RecordStore(path: folder.path("meters.db"))
    _ = try store.commit(CommitBatch(epoch: 0, records: (0..<5).map(Self.record), newMark: 4), for: Self.meter)
    try store.record(run: SyncRun(outcome: .synced(new: 5)), of: Self.meter)
  }

  private static func record(_ number: UInt16) -> CollectedRecord {
    let time = DateTime(year: 2026, month: 1, day: 5, hours: 7, minutes: UInt8(number))
    return CollectedRecord(
      sequenceNumber: number,
      value: GlucoseMeasurement(sequenceNumber: number, baseTime: time).octets,
      offset: 60
    )
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  private func copy(_ names: [String], to other: ScratchFolder) throws {
    for name in names { try FileManager.default.copyItem(atPath: folder.path(name), toPath: other.path(name)) }
  }

  private func octets(_ name: String = "meters.db") throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent(name))
  }

  @Test(arguments: reading) func readingMakesNoFile(words: [String]) throws {
    let before = try octets()
    let run = try CommandRun(["store"] + words + ["--store", folder.path("meters.db")])
    #expect(run.status == 0)
    #expect(run.complaint.isEmpty)
    #expect(try names == ["meters.db"])
    #expect(try octets() == before)
  }

  @Test(.enabled(if: OrdinaryUser.isReachable, "\(OrdinaryUser.absence)"), arguments: reading)
  func readingTakesNoRightToWrite(words: [String]) throws {
    let expected = try CommandRun(["store"] + words + ["--store", folder.path("meters.db")])
    try OrdinaryUser.hand(folder.url, files: 0o400, folder: 0o500)
    defer { try? OrdinaryUser.hand(folder.url, files: 0o600, folder: 0o700) }
    let run = try OrdinaryUser.run(["store"] + words + ["--store", folder.path("meters.db")])
    #expect(run.status == 0, "\(run.complaint)")
    #expect(run.complaint.isEmpty, "\(run.complaint)")
    #expect(run.output == expected.output)
    #expect(run.output.contains("F0:0D:CA:FE:00:01"))
    #expect(try names == ["meters.db"])
  }

  @Test(.enabled(if: OrdinaryUser.isReachable, "\(OrdinaryUser.absence)"))
  func aComparisonTakesNoRightToWrite() throws {
    try OrdinaryUser.hand(folder.url, files: 0o400, folder: 0o500)
    defer { try? OrdinaryUser.hand(folder.url, files: 0o600, folder: 0o700) }
    let arguments = ["compare", "--store", folder.path("meters.db"), "store:F0:0D", "store:F0:0D"]
    let run = try OrdinaryUser.run(arguments)
    #expect(run.status == 0, "\(run.complaint)")
    #expect(run.output.hasPrefix("A and B hold the same 5 readings"))
  }

  @Test(.enabled(if: OrdinaryUser.isReachable, "\(OrdinaryUser.absence)"))
  func whatAKilledProcessLeftIsReadWithoutWriting() throws {
    let writer = try RecordStore(path: folder.path("meters.db"))
    _ = try writer.commit(CommitBatch(epoch: 0, records: (5..<8).map(Self.record), newMark: 7), for: Self.meter)
    let other = try ScratchFolder()
    try copy(names, to: other)
    withExtendedLifetime(writer) {}
    try OrdinaryUser.hand(other.url, files: 0o400, folder: 0o500)
    defer { try? OrdinaryUser.hand(other.url, files: 0o600, folder: 0o700) }
    let run = try OrdinaryUser.run(["store", "export", "--store", other.path("meters.db")])
    #expect(run.status == 0, "\(run.complaint)")
    #expect(run.output.split(separator: "\n").count == 8)
  }

  @Test(.enabled(if: OrdinaryUser.isReachable, "\(OrdinaryUser.absence)"))
  func aLogThatCannotBePutInOrderIsToldWithTheWayOut() throws {
    let writer = try RecordStore(path: folder.path("meters.db"))
    _ = try writer.commit(CommitBatch(epoch: 0, records: [Self.record(5)], newMark: 5), for: Self.meter)
    let other = try ScratchFolder()
    try copy(["meters.db", "meters.db-wal"], to: other)
    withExtendedLifetime(writer) {}
    try OrdinaryUser.hand(other.url, files: 0o400, folder: 0o500)
    defer { try? OrdinaryUser.hand(other.url, files: 0o600, folder: 0o700) }
    let run = try OrdinaryUser.run(["store", "list", "--store", other.path("meters.db")])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(run.complaint.contains("Copy both files to a folder of your own"))
  }

  @Test(.enabled(if: OrdinaryUser.isReachable, "\(OrdinaryUser.absence)"))
  func aStoreThatMayNotBeReadIsOneSentence() throws {
    try OrdinaryUser.hand(folder.url, files: 0o000, folder: 0o500)
    defer { try? OrdinaryUser.hand(folder.url, files: 0o600, folder: 0o700) }
    let run = try OrdinaryUser.run(["store", "list", "--store", folder.path("meters.db")])
    #expect(run.status == 2)
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(run.complaint.contains("cannot be opened: permission denied"))
  }

  @Test(.enabled(if: OrdinaryUser.isReachable, "\(OrdinaryUser.absence)"))
  func forgettingInAReadOnlyStoreIsOneSentence() throws {
    try OrdinaryUser.hand(folder.url, files: 0o400, folder: 0o500)
    defer { try? OrdinaryUser.hand(folder.url, files: 0o600, folder: 0o700) }
    let arguments = ["store", "forget", "--yes", "--device", "F0:0D", "--store", folder.path("meters.db")]
    let run = try OrdinaryUser.run(arguments)
    #expect(run.status == 2)
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(run.complaint.contains("permission denied"))
  }

  @Test(arguments: reading + [["forget", "--device", "F0:0D", "--yes"]])
  func aStoreThatIsMissingIsOneSentence(words: [String]) throws {
    let run = try CommandRun(["store"] + words + ["--store", folder.path("none.db")])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(run.complaint.contains("there is no store \(folder.path("none.db"))."))
    #expect(try names == ["meters.db"])
  }

  /// Without an adapter, or without the right to use one; the name is one that no machine has.
  @Test(arguments: ["new.db", "empty.db"]) func aSyncThatCannotBeginLeavesNothing(name: String) throws {
    try Data().write(to: folder.url.appendingPathComponent("empty.db"))
    let before = try names
    let run = try CommandRun([
      "sync", "F0:0D:CA:FE:00:01", "--adapter", "hci4711", "--store", folder.path(name),
    ])
    #expect([2, 3].contains(run.status), "\(run.status): \(run.complaint)")
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(try names == before)
    #expect(try octets("empty.db").isEmpty)
  }

  @Test func aSyncThatCannotBeginLeavesAStoreAsItIs() throws {
    let before = try octets()
    let run = try CommandRun([
      "sync", "F0:0D:CA:FE:00:01", "--adapter", "hci4711", "--store", folder.path("meters.db"),
    ])
    #expect([2, 3].contains(run.status))
    #expect(try names == ["meters.db"])
    #expect(try octets() == before)
  }

  @Test func aSyncWithoutAFolderNamesIt() throws {
    let run = try CommandRun(["sync", "F0:0D:CA:FE:00:01", "--store", folder.path("none/meters.db")])
    #expect(run.status == 2)
    #expect(run.complaint.contains("the folder \(folder.path("none")) does not exist"))
    #expect(try names == ["meters.db"])
  }
}
