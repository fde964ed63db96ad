import BluetoothWire
import HealthProfiles
import RecordCollector

/// A store in memory with the promises of `RecordKeeping`, but for readings that come again under other numbers.
struct MemoryKeeper: RecordKeeping {
  struct Refusal: Error {}

  var meterMemory = MeterMemory()
  var held: [UInt32: [CollectedRecord]] = [:]
  var orphans: [CollectedContext] = []
  var runs: [SyncRun] = []
  /// So many commits fail first, as on a full disk.
  var failures = 0

  func memory(of meter: DeviceAddress) throws -> MeterMemory { meterMemory }

  func records(of meter: DeviceAddress, epoch: UInt32, sequenceNumber: UInt16) throws -> [CollectedRecord] {
    held[epoch, default: []].filter { $0.sequenceNumber == sequenceNumber }
  }

  mutating func commit(_ batch: CommitBatch, for meter: DeviceAddress) throws -> CommitReceipt {
    if failures > 0 {
      failures -= 1
      throw Refusal()
    }
    var receipt = CommitReceipt(stored: 0)
    var list = held[batch.epoch, default: []]
    var places: [UInt16: [Int]] = [:]
    for (index, record) in list.enumerated() { places[record.sequenceNumber, default: []].append(index) }
    for record in batch.records {
      let same = places[record.sequenceNumber, default: []]
      if let index = same.first(where: { list[$0].hasSameContent(as: record) }) {
        receipt.alreadyHeld += 1
        for context in record.contexts where !list[index].contexts.contains(context) {
          list[index].contexts.append(context)
          list[index].contextIsMissing = false
        }
      } else {
        if !same.isEmpty { receipt.conflicting.append(record.sequenceNumber) }
        places[record.sequenceNumber, default: []].append(list.count)
        list.append(record)
        receipt.stored += 1
      }
    }
    held[batch.epoch] = list
    orphans += batch.orphanContexts
    if batch.opensEpoch {
      meterMemory.epoch = batch.epoch
      meterMemory.mark = nil
      meterMemory.newestBaseTime = nil
    }
    meterMemory.mark = batch.newMark ?? meterMemory.mark
    meterMemory.newestBaseTime = batch.newestBaseTime ?? meterMemory.newestBaseTime
    meterMemory.heldRecords = list.count
    return receipt
  }

  mutating func remember(attributes: AttributeCache?, of meter: DeviceAddress) throws {
    // Through the stored form, as a store does.
    meterMemory.attributes = attributes.flatMap { AttributeCache(octets: $0.octets) }
  }

  mutating func remember(unsupported: UnsupportedRequests, of meter: DeviceAddress) throws {
    meterMemory.unsupported = unsupported
  }

  mutating func remember(identity: SensorIdentity) throws { meterMemory.identity = identity }

  mutating func record(run: SyncRun, of meter: DeviceAddress) throws { runs.append(run) }
}
