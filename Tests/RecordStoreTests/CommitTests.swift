import BluetoothWire
import HealthProfiles
import RecordCollector
import Testing

@testable import RecordStore

/// What a commit stores, and what it leaves alone.
@Suite struct CommitTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func aBatchIsStoredWithItsMark() throws {
    let store = try folder.open()
    let receipt = try store.commit(Sample.batch(0...29), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 30))
    let memory = try store.memory(of: Sample.meter)
    #expect(memory.epoch == 0)
    #expect(memory.mark == 29)
    #expect(memory.heldRecords == 30)
    #expect(memory.newestBaseTime == Sample.record(29).baseTime)
  }

  @Test func everythingIsThereAfterReopening() throws {
    let records = (UInt16(0)...9).map { Sample.record($0, meals: $0 % 2 == 0 ? [1] : []) }
    _ = try folder.open().commit(Sample.batch(records, newMark: 9), for: Sample.meter)
    #expect(try folder.open().allRecords().map(\.record) == records)
  }

  @Test func theSameRecordIsNotStoredAgain() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    let receipt = try store.commit(Sample.batch(5...14), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 5, alreadyHeld: 5))
    #expect(try store.allRecords().map(\.record.sequenceNumber) == Array(0...14))
  }

  @Test func aRecordWithoutItsOffsetFieldIsTheSame() throws {
    let store = try folder.open()
    let first = Sample.record(7, ownOffset: 60)
    _ = try store.commit(Sample.batch([first]), for: Sample.meter)
    let receipt = try store.commit(Sample.batch([Sample.record(7, offset: 60)]), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 0, alreadyHeld: 1))
    #expect(try store.allRecords().map(\.record) == [first])
  }

  @Test func anOffsetThatComesLaterIsKept() throws {
    let store = try folder.open()
    func time() throws -> [Int64?] {
      var times: [Int64?] = []
      for reading in try store.allRecords() { times.append(reading.record.offset.map(Int64.init)) }
      return times
    }
    _ = try store.commit(Sample.batch([Sample.record(7, offset: nil)]), for: Sample.meter)
    #expect(try time() == [nil])
    #expect(try SQLText.number("SELECT count(*) FROM records WHERE time IS NULL", path: folder.path()) == 1)
    let receipt = try store.commit(Sample.batch([Sample.record(7, offset: 60)]), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 0, alreadyHeld: 1))
    _ = try store.commit(Sample.batch([Sample.record(7, offset: nil)]), for: Sample.meter)
    #expect(try time() == [60])
    #expect(try SQLText.number("SELECT time - base_time FROM records", path: folder.path()) == 3_600)
  }

  @Test func otherContentIsStoredBesideAndNothingOverwritten() throws {
    let store = try folder.open()
    let contents = [100, 101, 102].map { Sample.record(7, mantissa: $0) }
    for (index, record) in contents.enumerated() {
      let receipt = try store.commit(Sample.batch([record]), for: Sample.meter)
      #expect(receipt == CommitReceipt(stored: 1, conflicting: index == 0 ? [] : [7]))
    }
    let again = try store.commit(Sample.batch([contents[1]]), for: Sample.meter)
    #expect(again == CommitReceipt(stored: 0, alreadyHeld: 1))
    let stored = try store.allRecords()
    #expect(stored.map(\.record) == contents)
    #expect(stored.map(\.variant) == [0, 1, 2])
    #expect(try store.records(of: Sample.meter, epoch: 0, sequenceNumber: 7) == contents)
  }

  @Test func twoContentsInOneBatchAreBothKept() throws {
    let store = try folder.open()
    let contents = [100, 101].map { Sample.record(7, mantissa: $0) }
    let receipt = try store.commit(Sample.batch(contents, newMark: 7), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 2, conflicting: [7]))
    #expect(try store.memory(of: Sample.meter).heldRecords == 1)
  }

  @Test func anotherOffsetInForceIsOtherContent() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch([Sample.record(7, offset: 60)]), for: Sample.meter)
    let receipt = try store.commit(Sample.batch([Sample.record(7, offset: 0)]), for: Sample.meter)
    #expect(receipt.conflicting == [7])
  }

  @Test func aContextThatComesLaterCompletesItsRecord() throws {
    let store = try folder.open()
    var record = Sample.record(7, promisesContext: true)
    record.contextIsMissing = true
    _ = try store.commit(Sample.batch([record]), for: Sample.meter)
    #expect(try store.allRecords().first?.record.contextIsMissing == true)
    record.contextIsMissing = false
    record.contexts = [Sample.context(7, meal: 1)]
    let receipt = try store.commit(Sample.batch([record]), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 0, alreadyHeld: 1))
    #expect(try store.allRecords().map(\.record) == [record])
  }

  @Test func aSecondContextStandsBesideTheFirst() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch([Sample.record(7, meals: [1])]), for: Sample.meter)
    _ = try store.commit(Sample.batch([Sample.record(7, meals: [2])]), for: Sample.meter)
    _ = try store.commit(Sample.batch([Sample.record(7, meals: [2, 1])]), for: Sample.meter)
    let contexts = try store.allRecords().flatMap(\.record.contexts)
    #expect(contexts == [Sample.context(7, meal: 1), Sample.context(7, meal: 2)])
  }

  @Test func aRecordThatComesAgainWithoutItsContextKeepsIt() throws {
    let store = try folder.open()
    let record = Sample.record(7, meals: [1])
    _ = try store.commit(Sample.batch([record]), for: Sample.meter)
    var bare = record
    bare.contexts = []
    bare.contextIsMissing = true
    _ = try store.commit(Sample.batch([bare]), for: Sample.meter)
    #expect(try store.allRecords().map(\.record) == [record])
  }

  @Test func anOrphanContextIsKeptOnce() throws {
    let store = try folder.open()
    var batch = Sample.batch([])
    batch.orphanContexts = [Sample.context(3, meal: 1), Sample.context(3, meal: 2), Sample.context(3, meal: 1)]
    _ = try store.commit(batch, for: Sample.meter)
    _ = try store.commit(batch, for: Sample.meter)
    let orphans = try store.allOrphans()
    #expect(orphans.map(\.context) == [Sample.context(3, meal: 1), Sample.context(3, meal: 2)])
    #expect(orphans.map(\.syncIdentifier.description).last == "F0:0D:CA:FE:00:01-random-1808-0-3-context1")
  }

  @Test func theMarkNeverGoesDown() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...29), for: Sample.meter)
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    #expect(try store.memory(of: Sample.meter).mark == 29)
    #expect(try store.memory(of: Sample.meter).newestBaseTime == Sample.record(29).baseTime)
  }

  @Test func aRangeWithoutMarkLeavesTheMark() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    _ = try store.commit(Sample.batch([Sample.record(50)]), for: Sample.meter)
    #expect(try store.memory(of: Sample.meter).mark == 9)
    #expect(try store.memory(of: Sample.meter).heldRecords == 11)
  }

  @Test func aMarkAboveEveryRecordIsRefusedWhole() throws {
    let store = try folder.open()
    let error = storeError { () throws(StoreError) in
      _ = try store.commit(Sample.batch([Sample.record(1)], newMark: 2), for: Sample.meter)
    }
    #expect(error?.kind == .refused)
    #expect(try store.devices().isEmpty)
  }

  @Test func theHighestNumberIsAMarkLikeAnother() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(65_530...65_535), for: Sample.meter)
    #expect(try store.memory(of: Sample.meter).mark == 65_535)
  }

  @Test func aRestartedNumberingIsAnEpochOfItsOwn() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...29), for: Sample.meter)
    let receipt = try store.commit(Sample.batch(0...4, epoch: 1, opensEpoch: true), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 5))
    let memory = try store.memory(of: Sample.meter)
    #expect(memory.epoch == 1)
    #expect(memory.mark == 4)
    #expect(memory.heldRecords == 5)
    // The same run may commit once more, such as a context asked for again.
    _ = try store.commit(Sample.batch(0...5, epoch: 1, opensEpoch: true), for: Sample.meter)
    let identifiers = try store.allRecords().map(\.syncIdentifier)
    #expect(Set(identifiers).count == 36)
  }

  @Test(arguments: [(UInt32(1), false), (2, true), (0, false)])
  func anEpochThatIsNotTheNewestIsRefusedWhole(epoch: UInt32, opens: Bool) throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...4), for: Sample.meter)
    if epoch == 0 { _ = try store.commit(Sample.batch(0...4, epoch: 1, opensEpoch: true), for: Sample.meter) }
    let before = try store.allRecords()
    let error = storeError { () throws(StoreError) in
      _ = try store.commit(Sample.batch(5...9, epoch: epoch, opensEpoch: opens), for: Sample.meter)
    }
    #expect(error?.kind == .refused)
    #expect(try store.allRecords() == before)
  }

  @Test(arguments: [[], [0x02], [0x07, 1, 0, 0xEA, 7, 1, 5, 6, 0]] as [[UInt8]])
  func octetsThatAreNoWholeMeasurementAreKeptAsTheyAre(value: [UInt8]) throws {
    let store = try folder.open()
    let record = CollectedRecord(sequenceNumber: 1, value: value)
    _ = try store.commit(Sample.batch([record]), for: Sample.meter)
    #expect(try store.allRecords().map(\.record) == [record])
  }

  @Test func metersAreKeptApart() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...4), for: Sample.meter)
    _ = try store.commit(Sample.batch(0...1), for: Sample.otherMeter)
    let samePublic = DeviceAddress(value: Sample.meter.value, isRandom: false)
    #expect(try store.memory(of: samePublic) == MeterMemory())
    #expect(try store.memory(of: Sample.meter).heldRecords == 5)
    #expect(try store.memory(of: Sample.otherMeter).heldRecords == 2)
  }

  @Test func columnsForOtherProgramsSayWhatTheOctetsSay() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch([Sample.record(5, mantissa: 123, ownOffset: -90, meals: [2])]), for: Sample.meter)
    let row = try store.database.prepare(
      """
      SELECT address, epoch, sequence, base_time, time_offset, time, concentration, unit, mg_dl, mmol_l, type, location,
        meal, context_missing FROM readings
      """
    )
    #expect(try row.next())
    #expect(row.text(0) == "F0:0D:CA:FE:00:01")
    #expect([row.integer(1), row.integer(2)] == [0, 5])
    #expect(row.text(3) == "2026-01-05 06:05:00")
    #expect(row.integer(4) == -90)
    #expect(row.text(5) == "2026-01-05 04:35:00")
    #expect(row.real(6) == 0.00123)
    #expect(row.text(7) == "kg/L")
    #expect(row.real(8) == 123)
    #expect(row.real(9) == 6.826)
    #expect([row.integer(10), row.integer(11), row.integer(12), row.integer(13)] == [1, 1, 2, 0])
  }
}
