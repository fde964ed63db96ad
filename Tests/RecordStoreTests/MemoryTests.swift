import BluetoothWire
import HealthProfiles
import RecordCollector
import RecordStore
import Testing

/// What is remembered of a meter besides its records.
@Suite struct MemoryTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func aMeterNeverSeenHasAnEmptyMemory() throws {
    #expect(try folder.open().memory(of: Sample.meter) == MeterMemory())
  }

  @Test func whatIsNotSaidOfAMeterStaysAsItWas() throws {
    let store = try folder.open()
    try store.remember(
      identity: SensorIdentity(address: Sample.meter, name: "GM-1", serial: "77", systemID: [1, 2], feature: 0x0400)
    )
    try store.remember(identity: SensorIdentity(address: Sample.meter, name: "GM-2", model: "M"))
    let expected = SensorIdentity(
      address: Sample.meter,
      name: "GM-2",
      model: "M",
      serial: "77",
      systemID: [1, 2],
      feature: 0x0400
    )
    #expect(try folder.open().memory(of: Sample.meter).identity == expected)
  }

  @Test func aMeterWithRecordsAloneHasNoIdentity() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...1), for: Sample.meter)
    #expect(try store.memory(of: Sample.meter).identity == nil)
  }

  @Test func handlesAreKeptAndForgotten() throws {
    let store = try folder.open()
    let cache = AttributeCache(
      glucoseService: 0x10...0x1F,
      measurement: .init(declaration: 0x11, value: 0x12, properties: 0x10, configuration: 0x13),
      recordAccess: .init(declaration: 0x18, value: 0x19, properties: 0x28, configuration: 0x1A),
      databaseHash: Array(0..<16)
    )
    try store.remember(attributes: cache, of: Sample.meter)
    #expect(try folder.open().memory(of: Sample.meter).attributes == cache)
    try store.remember(attributes: nil, of: Sample.meter)
    #expect(try store.memory(of: Sample.meter).attributes == nil)
  }

  @Test func refusedRequestsAddUp() throws {
    let store = try folder.open()
    try store.remember(unsupported: .reportAtLeast, of: Sample.meter)
    try store.remember(unsupported: [.reportAtLeast, .count], of: Sample.meter)
    #expect(try store.memory(of: Sample.meter).unsupported == [.reportAtLeast, .count])
    // What a later link has shown to be wrong is forgotten.
    try store.remember(unsupported: .count, of: Sample.meter)
    #expect(try store.memory(of: Sample.meter).unsupported == .count)
  }

  @Test func runsAreKeptWithOutcomeAndTiming() throws {
    let store = try folder.open()
    var run = SyncRun(outcome: .linkLost(reason: "supervision timeout"), epoch: 2, mark: 29)
    run.startedAt = 1_767_600_000.25
    run.duration = 1_500_000_000
    run.transferDuration = 250_000_000
    run.request = [0x01, 0x03, 0x01, 0x1E, 0x00]
    run.received = 12
    run.count = 40
    run.security = LinkSecurity(level: 2, keySize: 16)
    run.usedCache = true
    try store.record(run: run, of: Sample.meter)
    try store.record(run: SyncRun(outcome: .nothingNew), of: Sample.meter)
    let runs = try folder.open().runs(of: Sample.meter)
    #expect(runs.map(\.outcome) == ["link_lost", "nothing_new"])
    #expect(runs.map(\.isComplete) == [false, true])
    let first = try #require(runs.first)
    #expect(first.detail == "supervision timeout")
    #expect(first.startedAt == 1_767_600_000.25)
    #expect(first.duration == 1.5)
    #expect(first.transferDuration == 0.25)
    #expect(first.request == run.request)
    #expect(first.mark == 29)
    #expect(first.count == 40)
    #expect(first.security == run.security)
    #expect(first.usedCache)
  }

  @Test func everyOutcomeHasAWordOfItsOwn() throws {
    let outcomes: [SyncOutcome] = [
      .synced(new: 1), .nothingNew, .aborted, .linkLost(reason: "x"), .timedOut(.recordAccess), .refused(.success),
      .attributeError(.readNotPermitted, request: 0x12, handle: 3), .busy, .wrongAnswer([1]),
      .pairingFailed(.passkey), .bondLost(.keyMissing), .notEncrypted, .storeFailed("x"), .notAGlucoseMeter,
      .tooMuchData,
    ]
    let store = try folder.open()
    for outcome in outcomes { try store.record(run: SyncRun(outcome: outcome), of: Sample.meter) }
    let runs = try store.runs(of: Sample.meter)
    #expect(Set(runs.map(\.outcome)).count == outcomes.count)
    #expect(runs[6].detail == "read not permitted to request 0x12 of handle 0x0003")
  }

  @Test func runsSinceEverythingWasFetchedAreCounted() throws {
    let store = try folder.open()
    var batch = Sample.batch(0...4)
    batch.isFullFetch = true
    _ = try store.commit(batch, for: Sample.meter)
    try store.record(run: SyncRun(outcome: .synced(new: 5)), of: Sample.meter)
    #expect(try store.memory(of: Sample.meter).runsSinceFullFetch == 0)
    try store.record(run: SyncRun(outcome: .nothingNew), of: Sample.meter)
    try store.record(run: SyncRun(outcome: .aborted), of: Sample.meter)
    try store.record(run: SyncRun(outcome: .nothingNew), of: Sample.meter)
    #expect(try store.memory(of: Sample.meter).runsSinceFullFetch == 2)
  }
}
