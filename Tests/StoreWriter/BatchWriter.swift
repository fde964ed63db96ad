import BluetoothWire
import Glibc
import HealthProfiles
import RecordCollector
import RecordStore

/// Commits batch after batch, each from the number above the mark.
struct BatchWriter {
  static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  private let store: RecordStore

  init(_ path: String) throws(StoreError) { store = try RecordStore(path: path) }

  /// Tells after each commit up to which epoch and number everything is durable.
  func commit(_ batches: Int, of count: Int) throws(StoreError) {
    for _ in 0..<batches {
      let memory = try store.memory(of: Self.meter)
      var batch = CommitBatch(epoch: memory.epoch, records: [])
      var first = memory.mark.map { Int($0) + 1 } ?? 0
      if first + count > 65_536 {
        batch.epoch += 1
        batch.opensEpoch = true
        first = 0
      }
      batch.records = Self.records(first..<(first + count))
      batch.newMark = batch.records.last?.sequenceNumber
      batch.newestBaseTime = batch.records.last?.baseTime
      _ = try store.commit(batch, for: Self.meter)
      Output.line("committed \(batch.epoch) \(first + count - 1)")
    }
  }

  /// Stops at the first commit that fails; that must be for want of room.
  static func fill(_ path: String, limit: Int, records: Int) throws(StoreError) {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    limits.rlim_cur = rlim_t(limit)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    // With the signal ignored, a write beyond the limit fails as one on a full disk does.
    signal(SIGXFSZ, SIG_IGN)
    try BatchWriter(path).commit(10_000, of: records)
  }

  /// Every third record has a context.
  static func records(_ numbers: Range<Int>) -> [CollectedRecord] {
    numbers.map { number in
      let sequence = UInt16(truncatingIfNeeded: number)
      let start = DateTime(year: 2026, month: 1, day: 5)
      let measurement = GlucoseMeasurement(
        sequenceNumber: sequence,
        baseTime: start.adding(minutes: number * 5) ?? start,
        timeOffset: 60,
        sample: GlucoseMeasurement.Sample(
          concentration: MedicalFloat16(mantissa: 80 + number % 200, exponent: -5) ?? .notANumber,
          type: GlucoseSampleType(rawValue: 1),
          location: GlucoseSampleLocation(rawValue: 1)
        ),
        contextFollows: number % 3 == 0
      )
      var record = CollectedRecord(sequenceNumber: sequence, value: measurement.octets, offset: 60)
      if number % 3 == 0 {
        let context = GlucoseMeasurementContext(sequenceNumber: sequence, meal: Meal(rawValue: 1))
        record.contexts = [CollectedContext(sequenceNumber: sequence, value: context.octets)]
      }
      return record
    }
  }
}
