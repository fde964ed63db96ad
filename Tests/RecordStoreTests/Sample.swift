import BluetoothWire
import HealthProfiles
import RecordCollector

/// Records as a meter sends them.
enum Sample {
  static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  static let otherMeter = DeviceAddress(value: 0x0060_1900_0001, isRandom: false)

  /// A measurement of 12 or 14 octets and more: `flags · number · base time · [offset] · concentration · type`.
  static func record(
    _ number: UInt16,
    mantissa: Int = 123,
    ownOffset: Int16? = nil,
    offset: Int16? = 60,
    meals: [UInt8] = [],
    promisesContext: Bool? = nil
  ) -> CollectedRecord {
    let measurement = GlucoseMeasurement(
      sequenceNumber: number,
      baseTime: DateTime(year: 2026, month: 1, day: 5, hours: 6, minutes: UInt8(number % 60)),
      timeOffset: ownOffset,
      sample: GlucoseMeasurement.Sample(
        concentration: MedicalFloat16(mantissa: mantissa, exponent: -5) ?? .notANumber,
        type: GlucoseSampleType(rawValue: 1),
        location: GlucoseSampleLocation(rawValue: 1)
      ),
      contextFollows: promisesContext ?? !meals.isEmpty
    )
    return CollectedRecord(
      sequenceNumber: number,
      value: measurement.octets,
      offset: ownOffset ?? offset,
      contexts: meals.map { context(number, meal: $0) }
    )
  }

  static func context(_ number: UInt16, meal: UInt8) -> CollectedContext {
    let value = GlucoseMeasurementContext(sequenceNumber: number, meal: Meal(rawValue: meal))
    return CollectedContext(sequenceNumber: number, value: value.octets)
  }

  /// The records with these numbers, and their last as the mark; in every epoch other readings.
  static func batch(_ numbers: ClosedRange<UInt16>, epoch: UInt32 = 0, opensEpoch: Bool = false) -> CommitBatch {
    let records = numbers.map { record($0, mantissa: 123 + Int(epoch)) }
    return CommitBatch(
      epoch: epoch,
      opensEpoch: opensEpoch,
      records: records,
      newMark: numbers.upperBound,
      newestBaseTime: records.last?.baseTime,
      request: [0x01, 0x01]
    )
  }

  static func batch(_ records: [CollectedRecord], newMark: UInt16? = nil, epoch: UInt32 = 0) -> CommitBatch {
    CommitBatch(epoch: epoch, records: records, newMark: newMark)
  }
}
