import BluetoothWire
import RecordCollector
import RecordStore
import Testing

/// What is left after a meter is forgotten.
@Suite struct ForgetTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func forget(_ store: RecordStore) throws {
    let lock = try store.lock(Sample.meter, command: "test")
    try store.forget(Sample.meter, holding: lock)
  }

  @Test func everythingOfTheMeterIsGoneAndNothingOfOthers() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch([Sample.record(1, meals: [1])], newMark: 1), for: Sample.meter)
    _ = try store.commit(Sample.batch(0...4), for: Sample.otherMeter)
    try store.record(run: SyncRun(outcome: .nothingNew), of: Sample.meter)
    try store.save(BondSample.bond)
    try forget(store)
    #expect(try store.devices().map(\.address) == [Sample.otherMeter])
    #expect(try store.memory(of: Sample.meter) == MeterMemory())
    #expect(try store.bond(with: Sample.meter) == nil)
    #expect(try store.allRecords(of: Sample.otherMeter).count == 5)
  }

  @Test func theFileKeepsNoOctetOfIt() throws {
    let store = try folder.open()
    let record = Sample.record(1, mantissa: 1_234)
    try store.remember(identity: SensorIdentity(address: Sample.meter, name: "A name to find"))
    _ = try store.commit(Sample.batch([record], newMark: 1), for: Sample.meter)
    try store.save(BondSample.bond)
    #expect(try holds(record.value))
    try forget(store)
    #expect(try !holds(record.value))
    #expect(try !holds(Array("A name to find".utf8)))
    #expect(try !holds(BondSample.key))
  }

  private func holds(_ octets: [UInt8]) throws -> Bool {
    try folder.names.contains { name in try Octets.contain(folder.octets(name), octets) }
  }

  @Test func recordsFetchedAgainGetTheIdentifiersTheyHad() throws {
    let store = try folder.open()
    _ = try store.commit(Sample.batch(0...9), for: Sample.meter)
    _ = try store.commit(Sample.batch(0...4, epoch: 1, opensEpoch: true), for: Sample.meter)
    let before = try store.allRecords().filter { $0.epoch == 1 }.map(\.syncIdentifier)
    try forget(store)
    let memory = try store.memory(of: Sample.meter)
    #expect(memory.epoch == 1)
    #expect(memory.mark == nil)
    _ = try store.commit(Sample.batch(0...4, epoch: memory.epoch), for: Sample.meter)
    #expect(try store.allRecords().map(\.syncIdentifier) == before)
  }

  @Test func aMeterNeverSeenIsForgottenQuietly() throws {
    let store = try folder.open()
    try forget(store)
    #expect(try store.devices().isEmpty)
  }
}
