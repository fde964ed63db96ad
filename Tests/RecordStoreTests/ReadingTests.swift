import BluetoothWire
import RecordCollector
import RecordStore
import Testing

/// What comes out of a store again.
@Suite struct ReadingTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func devicesTellWhatIsHeldOfThem() throws {
    let store = try folder.open()
    var batch = Sample.batch([Sample.record(0), Sample.record(1), Sample.record(1, mantissa: 99)], newMark: 1)
    batch.records[0].contextIsMissing = true
    batch.orphanContexts = [Sample.context(9, meal: 1)]
    _ = try store.commit(batch, for: Sample.meter)
    var run = SyncRun(outcome: .synced(new: 3))
    run.startedAt = 1_000
    try store.record(run: run, of: Sample.meter)
    run.outcome = .aborted
    run.startedAt = 2_000
    try store.record(run: run, of: Sample.meter)
    try store.remember(identity: SensorIdentity(address: Sample.otherMeter, name: "empty"))
    let devices = try store.devices()
    #expect(devices.map(\.address) == [Sample.otherMeter, Sample.meter])
    #expect(devices[0].epochs.isEmpty)
    #expect(devices[1].runs == 2)
    #expect(devices[1].lastSync == 1_000)
    let epoch = StoredEpoch(
      service: .glucose,
      number: 0,
      mark: 1,
      records: 3,
      variants: 1,
      missingContexts: 1,
      orphanContexts: 1
    )
    #expect(devices[1].epochs == [epoch])
  }

  @Test func identifiersNameDeviceEpochNumberAndVariant() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch([Sample.record(7), Sample.record(7, mantissa: 99)]), for: Sample.meter)
    _ = try store.commit(Sample.batch(7...7, epoch: 1, opensEpoch: true), for: Sample.meter)
    #expect(
      try store.allRecords().map(\.syncIdentifier.description) == [
        "F0:0D:CA:FE:00:01-random-1808-0-7", "F0:0D:CA:FE:00:01-random-1808-0-7-v1",
        "F0:0D:CA:FE:00:01-random-1808-1-7",
      ]
    )
  }

  @Test func aWalkCanBeEnded() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    var seen = 0
    try store.records(of: Sample.meter) { _ in
      seen += 1
      return seen < 3
    }
    #expect(seen == 3)
    #expect(try store.allRecords().count == 10)
  }

  @Test func aSnapshotDoesNotSeeWhatOthersCommitMeanwhile() throws {
    let store = try folder.open()
    let other = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    try store.snapshot { () throws(StoreError) in
      let before = try store.allRecords().count
      _ = try other.commit(Sample.batch(10...19), for: Sample.meter)
      let after = try store.allRecords().count
      #expect(before == 10)
      #expect(after == 10)
    }
    #expect(try store.allRecords().count == 20)
  }

  @Test func aMeterNeverSeenHasNothing() throws {
    let store = try folder.open()
    #expect(try store.device(Sample.meter) == nil)
    #expect(try store.allRecords().isEmpty)
    #expect(try store.runs(of: Sample.meter).isEmpty)
    #expect(try store.records(of: Sample.meter, epoch: 0, sequenceNumber: 1).isEmpty)
  }
}
