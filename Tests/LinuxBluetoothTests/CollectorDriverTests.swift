import BluetoothWire
import Foundation
import Glibc
import HealthProfiles
import LinuxBluetooth
import RecordCollector
import RecordStore
import ScriptedMeter
import Testing

/// The event loop over a socket pair: what the collector wants is done, and what ends a link is told.
@Suite struct CollectorDriverTests {
  private let path = "\(NSTemporaryDirectory())driver-\(getpid())-\(UInt32.random(in: 0 ... .max)).db"

  private func withStore<Result>(_ body: (RecordStore) throws -> Result) throws -> Result {
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
    return try body(RecordStore(path: path))
  }

  private func sync(_ meter: MeterEnd, _ store: RecordStore, isEncrypted: Bool = true) throws -> SyncRun {
    let run = try CollectorDriver.run(
      descriptor: meter.descriptor,
      security: isEncrypted ? LinkSecurity(level: 2, keySize: 16) : .none,
      meter: ManagementCommandTests.meter,
      store: store,
      observer: SilentObserver()
    )
    _ = meter.finished()
    return run
  }

  private func meter(_ records: Int = 20) -> ScriptedMeter {
    var meter = ScriptedMeter(records: records)
    meter.isBonded = true
    return meter
  }

  @Test func everyRecordIsStoredOnce() throws {
    try withStore { store in
      var meter = meter()
      let first = try sync(MeterEnd(meter, isEncrypted: true), store)
      #expect(first.outcome == .synced(new: 20))
      let again = try sync(MeterEnd(meter, isEncrypted: true), store)
      #expect(again.outcome == .nothingNew)
      meter.add(3)
      let later = try sync(MeterEnd(meter, isEncrypted: true), store)
      #expect(later.outcome == .synced(new: 3))
      #expect(later.usedCache)
      let runs = try store.runs(of: ManagementCommandTests.meter)
      #expect(runs.map(\.stored) == [20, 0, 3])
      #expect(runs.allSatisfy { $0.startedAt ?? 0 > 1_700_000_000 })
    }
  }

  /// A meter whose newest record is number 0: every measurement gives all the others new numbers.
  @Test func aMeterThatRenumbersItsRecordsGivesEachReadingOnce() throws {
    try withStore { store in
      var meter = meter(5)
      func renumber() {
        let count = meter.records.count
        for index in meter.records.indices { meter.records[index].number = UInt16(count - 1 - index) }
      }
      func exported() throws -> [String: DateTime?] {
        var readings: [String: DateTime?] = [:]
        try store.records(of: ManagementCommandTests.meter) { stored in
          #expect(readings[stored.syncIdentifier.description] == nil)
          readings[stored.syncIdentifier.description] = stored.record.baseTime
          return true
        }
        return readings
      }
      renumber()
      #expect(try sync(MeterEnd(meter, isEncrypted: true), store).outcome == .synced(new: 5))
      for _ in 0..<3 {
        let before = try exported()
        meter.add(1)
        renumber()
        let run = try sync(MeterEnd(meter, isEncrypted: true), store)
        #expect(run.outcome == .synced(new: 1))
        #expect(run.alreadyHeld == meter.records.count - 1)
        let after = try exported()
        #expect(after.values.compactMap(\.self).sorted() == meter.records.map(\.baseTime))
        for (identifier, time) in before { #expect(after[identifier] == time) }
        #expect(try store.device(ManagementCommandTests.meter)?.recordCount == meter.records.count)
      }
      // Nothing new: everything the meter has is known under the numbers of the last sync.
      #expect(try sync(MeterEnd(meter, isEncrypted: true), store).outcome == .nothingNew)
      #expect(try store.memory(of: ManagementCommandTests.meter).epoch == 3)
    }
  }

  @Test func securityIsRaisedWhenItIsWanted() throws {
    try withStore { store in
      let run = try sync(MeterEnd(meter(), isEncrypted: false), store, isEncrypted: false)
      #expect(run.outcome == .synced(new: 20))
      #expect(run.security.isEncrypted)
    }
  }

  @Test(arguments: [0, 1, 5, 20, 30]) func aLinkThatEndsLosesNothing(after: Int) throws {
    try withStore { store in
      let lost = try sync(MeterEnd(meter(), isEncrypted: true, hangsUp: { _, sent in sent == after }), store)
      #expect(lost.outcome == .linkLost(reason: "the meter ended the link"))
      #expect(try store.memory(of: ManagementCommandTests.meter).mark == nil)
      #expect(try sync(MeterEnd(meter(), isEncrypted: true), store).outcome == .synced(new: 20))
    }
  }

  /// The result and the end of the link arrive at once, before the collector has read either: the result counts.
  @Test func whatCameBeforeTheEndIsStillRead() throws {
    try withStore { store in
      let end = MeterEnd(meter(), isEncrypted: true, hangsUpAfter: { pdu in pdu.first == 0x1D })
      let run = try sync(end, store)
      #expect(run.outcome.isComplete || run.stored == 0)
      #expect(try store.memory(of: ManagementCommandTests.meter).mark == (run.outcome.isComplete ? 20 : nil))
    }
  }

  /// A socket that overflowed: the result was dropped with the records, and the meter is not to blame.
  private final class OverflowingBearer: AttributeBearer {
    let inner: PlainBearer
    private(set) var droppedPackets: UInt32 = 0

    init(_ descriptor: Int32) {
      inner = PlainBearer(descriptor: descriptor, security: LinkSecurity(level: 2, keySize: 16))
    }

    var descriptor: Int32 { inner.descriptor }
    var receiveLimit: UInt16 { inner.receiveLimit }
    var security: LinkSecurity { inner.security }
    func send(_ pdu: [UInt8]) throws(ChannelFailure) -> Bool { try inner.send(pdu) }
    func raiseSecurity(to level: UInt8) { inner.raiseSecurity(to: level) }
    func pendingFailure() -> ChannelFailure? { inner.pendingFailure() }
    func disconnect() { inner.disconnect() }

    func receive(into buffer: inout [UInt8]) throws(ChannelFailure) -> Int? {
      while let count = try inner.receive(into: &buffer) {
        guard buffer[0] == 0x1D else { return count }
        droppedPackets += 1
      }
      return nil
    }
  }

  @Test func anOverflowEndsTheLinkAtOnce() throws {
    try withStore { store in
      let end = MeterEnd(meter(), isEncrypted: true)
      var driver = try CollectorDriver(
        OverflowingBearer(end.descriptor),
        meter: ManagementCommandTests.meter,
        plan: CollectorPlan(),
        store: store,
        observer: SilentObserver()
      )
      var loop = EventLoop(catchesSignals: false)
      let began = ContinuousClock.now
      let run = driver.run(&loop)
      #expect(run.outcome == .linkLost(reason: "this machine was too slow, and packets were dropped"))
      #expect(ContinuousClock.now - began < .seconds(20))
      #expect(run.stored == 0)
      _ = end.finished()
    }
  }

  @Test func aStoreThatIsGoneIsTold() throws {
    struct Broken: RecordKeeping {
      struct Full: Error, CustomStringConvertible { let description = "the disk is full" }
      func memory(of meter: DeviceAddress) -> MeterMemory { MeterMemory() }
      func records(of meter: DeviceAddress, epoch: UInt32, sequenceNumber: UInt16) -> [CollectedRecord] { [] }
      mutating func commit(_ batch: CommitBatch, for meter: DeviceAddress) throws -> CommitReceipt { throw Full() }
      mutating func remember(attributes: AttributeCache?, of meter: DeviceAddress) throws { throw Full() }
      mutating func remember(unsupported: UnsupportedRequests, of meter: DeviceAddress) throws { throw Full() }
      mutating func remember(identity: SensorIdentity) throws { throw Full() }
      mutating func record(run: SyncRun, of meter: DeviceAddress) throws { throw Full() }
    }
    let end = MeterEnd(meter(), isEncrypted: true)
    let run = try CollectorDriver.run(
      descriptor: end.descriptor,
      meter: ManagementCommandTests.meter,
      store: Broken(),
      observer: SilentObserver()
    )
    #expect(run.outcome == .storeFailed("the disk is full"))
  }
}
