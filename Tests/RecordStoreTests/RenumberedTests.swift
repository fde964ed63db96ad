import HealthProfiles
import RecordCollector
import Testing

@testable import RecordStore

/// Readings that come again under other numbers, because the meter numbered its records anew.
@Suite struct RenumberedTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// The reading of one minute under a number.
  private func record(
    _ number: UInt16,
    minute: UInt8,
    mantissa: Int = 100,
    type: UInt8 = 1,
    location: UInt8 = 1,
    unit: GlucoseUnit = .kilogramsPerLitre,
    offset: Int16? = 60,
    meals: [UInt8] = []
  ) -> CollectedRecord {
    let measurement = GlucoseMeasurement(
      sequenceNumber: number,
      baseTime: DateTime(year: 2026, month: 1, day: 5, hours: 6, minutes: minute),
      timeOffset: offset,
      unit: unit,
      sample: GlucoseMeasurement.Sample(
        concentration: MedicalFloat16(mantissa: mantissa, exponent: -5) ?? .notANumber,
        type: GlucoseSampleType(rawValue: type),
        location: GlucoseSampleLocation(rawValue: location)
      ),
      contextFollows: !meals.isEmpty
    )
    return CollectedRecord(
      sequenceNumber: number,
      value: measurement.octets,
      offset: offset,
      contexts: meals.map { Sample.context(number, meal: $0) }
    )
  }

  private func batch(_ records: [CollectedRecord], epoch: UInt32) -> CommitBatch {
    CommitBatch(
      epoch: epoch,
      opensEpoch: epoch > 0,
      records: records,
      newMark: records.map(\.sequenceNumber).max(),
      isFullFetch: true
    )
  }

  @Test func aReadingIsGivenOnceAsItCameFirst() throws {
    let store = try folder.open()
    _ = try store.commit(batch([record(0, minute: 2), record(1, minute: 1)], epoch: 0), for: Sample.meter)
    let first = try store.allRecords()
    let again = [record(0, minute: 3), record(1, minute: 2), record(2, minute: 1)]
    let receipt = try store.commit(batch(again, epoch: 1), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 1, renumbered: 2))
    let all = try store.allRecords()
    #expect(Array(all.prefix(2)) == first)
    #expect(all.dropFirst(2).map(\.record) == [again[0]])
    #expect(try store.device(Sample.meter)?.epochs.map(\.records) == [2, 1])
    // It can be looked up under its new number, and counts among what the meter has.
    #expect(try store.records(of: Sample.meter, epoch: 1, sequenceNumber: 2) == [again[2]])
    #expect(try store.memory(of: Sample.meter).heldRecords == 3)
    #expect(try SQLText.number("SELECT count(*) FROM readings", path: folder.path()) == 3)
  }

  @Test func itNamesTheRowThatCameFirst() throws {
    let store = try folder.open()
    for epoch in 0..<4 as Range<UInt32> {
      _ = try store.commit(batch([record(UInt16(epoch), minute: 1)], epoch: epoch), for: Sample.meter)
    }
    #expect(try store.allRecords().map(\.epoch) == [0])
    let query = "SELECT count(*) FROM records JOIN epochs ON epochs.id = same_as_epoch WHERE epochs.number = 0"
    #expect(try SQLText.number(query, path: folder.path()) == 3)
  }

  /// Another value, unit, kind of sample, place or time is another reading; the offset of the display is not.
  @Test func onlyWhatWasMeasuredCounts() throws {
    let others = [
      record(1, minute: 1, mantissa: 101), record(2, minute: 1, type: 2), record(3, minute: 1, location: 2),
      record(4, minute: 1, unit: .molesPerLitre), record(5, minute: 2),
    ]
    let store = try folder.open()
    _ = try store.commit(batch([record(9, minute: 1)], epoch: 0), for: Sample.meter)
    #expect(try store.commit(batch(others, epoch: 1), for: Sample.meter) == CommitReceipt(stored: 5))
    let moved = batch([record(6, minute: 1, offset: -30)], epoch: 1)
    #expect(try store.commit(moved, for: Sample.meter) == CommitReceipt(stored: 0, renumbered: 1))
  }

  /// Two readings that say the same are two, whatever their numbers.
  @Test func twoThatSayTheSameStayTwo() throws {
    let store = try folder.open()
    _ = try store.commit(batch([record(0, minute: 1), record(1, minute: 1)], epoch: 0), for: Sample.meter)
    let again = (2...4).map { record($0, minute: 1) }
    let receipt = try store.commit(batch(again, epoch: 1), for: Sample.meter)
    #expect(receipt == CommitReceipt(stored: 1, renumbered: 2))
    // And none of them a second time.
    #expect(try store.commit(batch(again, epoch: 1), for: Sample.meter).alreadyHeld == 3)
    #expect(try store.allRecords().count == 3)
  }

  @Test func aContextThatComesWithTheOtherNumberIsNotLost() throws {
    let store = try folder.open()
    var bare = record(0, minute: 1)
    bare.contextIsMissing = true
    _ = try store.commit(batch([bare], epoch: 0), for: Sample.meter)
    _ = try store.commit(batch([record(7, minute: 1, meals: [2])], epoch: 1), for: Sample.meter)
    let held = try store.allRecords().map(\.record)
    #expect(held.map(\.sequenceNumber) == [0])
    #expect(held.first?.contexts.map(\.value) == [Sample.context(7, meal: 2).value])
    #expect(held.first?.contextIsMissing == false)
  }

  @Test func anotherMeterHasReadingsOfItsOwn() throws {
    let store = try folder.open()
    _ = try store.commit(batch([record(0, minute: 1)], epoch: 0), for: Sample.meter)
    _ = try store.commit(batch([record(0, minute: 5)], epoch: 0), for: Sample.otherMeter)
    let receipt = try store.commit(batch([record(0, minute: 1)], epoch: 1), for: Sample.otherMeter)
    #expect(receipt == CommitReceipt(stored: 1))
  }
}
