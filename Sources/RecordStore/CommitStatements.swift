import BluetoothWire
import HealthProfiles
import RecordCollector

/// Writes the parts of one commit.
final class CommitStatements: StatementSet {
  private let begin: Statement
  private let finish: Statement
  private let addRecord: Statement
  private let addOrphan: Statement
  private let moveMark: Statement
  private let startFullFetchCount: Statement
  private let highest: Statement
  private let held: HeldRecords
  private let earlier: EarlierReadingStatements
  private let database: Database

  init(_ database: Database) throws(StoreError) {
    self.database = database
    held = try HeldRecords(database)
    earlier = try EarlierReadingStatements(database)
    begin = try database.prepare(
      """
      INSERT INTO commits (epoch_id, number, time, request, is_full_fetch, stored, already_held, conflicting)
      SELECT ?1, ifnull(max(number), 0) + 1, CAST(strftime('%s', 'now') AS INTEGER), ?2, ?3, 0, 0, 0 FROM commits WHERE epoch_id = ?1
      RETURNING number
      """
    )
    finish = try database.prepare(
      "UPDATE commits SET stored = ?3, already_held = ?4, conflicting = ?5 WHERE epoch_id = ?1 AND number = ?2"
    )
    addRecord = try database.prepare(
      """
      INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      ON CONFLICT DO NOTHING
      """
    )
    addOrphan = try database.prepare(
      """
      INSERT INTO orphan_contexts (epoch_id, sequence, ordinal, value)
      SELECT ?1, ?2,
        (SELECT ifnull(max(ordinal), -1) + 1 FROM orphan_contexts WHERE epoch_id = ?1 AND sequence = ?2), ?3
      WHERE NOT EXISTS (SELECT 1 FROM orphan_contexts WHERE epoch_id = ?1 AND sequence = ?2 AND value = ?3)
      """
    )
    moveMark = try database.prepare(
      "UPDATE epochs SET mark = ?2, mark_base_time = ifnull(?3, mark_base_time) WHERE id = ?1"
    )
    startFullFetchCount = try database.prepare("UPDATE epochs SET runs_since_full_fetch = -1 WHERE id = ?1")
    highest = try database.prepare("SELECT max(sequence) FROM records WHERE epoch_id = ?1")
  }

  /// Writes a batch into its epoch, within the transaction of the caller.
  func write(_ batch: CommitBatch, into epoch: DeviceStatements.Epoch) throws(StoreError) -> CommitReceipt {
    let number = try begin(batch, epoch.identifier)
    var receipt = CommitReceipt(stored: 0)
    addRecord.bind(1, epoch.identifier)
    addRecord.bind(4, number)
    // The first numbering has none before it.
    var readings = epoch.number > 0 ? try earlier.readings(before: epoch.identifier) : EarlierReadings()
    for record in batch.records { try write(record, epoch.identifier, &readings, &receipt) }
    for context in batch.orphanContexts {
      addOrphan.bind(1, epoch.identifier)
      addOrphan.bind(2, Int64(context.sequenceNumber))
      try addOrphan.run(octets: context.value, at: 3)
    }
    if let mark = batch.newMark { try move(to: mark, batch.newestBaseTime, epoch) }
    if batch.isFullFetch {
      startFullFetchCount.bind(1, epoch.identifier)
      try startFullFetchCount.run()
    }
    finish.bind(1, epoch.identifier)
    finish.bind(2, number)
    finish.bind(3, Int64(receipt.stored))
    finish.bind(4, Int64(receipt.alreadyHeld))
    finish.bind(5, Int64(receipt.conflicting.count))
    try finish.run()
    return receipt
  }

  private func begin(_ batch: CommitBatch, _ epoch: Int64) throws(StoreError) -> Int64 {
    begin.bind(1, epoch)
    begin.bind(2, octets: batch.request)
    begin.bind(3, batch.isFullFetch)
    defer { begin.reset() }
    guard try begin.next() else { throw .refused("the commit got no number.") }
    return begin.integer(0)
  }

  private func write(
    _ record: CollectedRecord,
    _ epoch: Int64,
    _ readings: inout EarlierReadings,
    _ receipt: inout CommitReceipt
  ) throws(StoreError) {
    let original = readings.first(like: record)
    if try add(record, variant: 0, sameAs: original) {
      return try added(record, epoch, variant: 0, original, &readings, &receipt)
    }
    let variants = try held.records(epoch, record.sequenceNumber)
    if let same = variants.first(where: { $0.record.hasSameContent(as: record) }) {
      receipt.alreadyHeld += 1
      try held.complete(same, with: record, epoch)
      return
    }
    let variant = (variants.last?.variant ?? 0) + 1
    guard try add(record, variant: variant, sameAs: original) else {
      throw .damaged("record \(record.sequenceNumber) has more variants than it should.")
    }
    if receipt.conflicting.last != record.sequenceNumber { receipt.conflicting.append(record.sequenceNumber) }
    try added(record, epoch, variant: variant, original, &readings, &receipt)
  }

  /// Counts a record that was added, with its contexts.
  private func added(
    _ record: CollectedRecord,
    _ epoch: Int64,
    variant: Int64,
    _ original: EarlierReadings.Row?,
    _ readings: inout EarlierReadings,
    _ receipt: inout CommitReceipt
  ) throws(StoreError) {
    for context in record.contexts { try held.add(context, epoch, record.sequenceNumber, variant: variant) }
    guard let original else {
      receipt.stored += 1
      return
    }
    receipt.renumbered += 1
    readings.take(record)
    // The row that is given away must not lack what came with its other number.
    guard !record.contexts.isEmpty else { return }
    guard try held.contexts(original.epoch, original.sequence, original.variant).isEmpty else { return }
    let bare = CollectedRecord(sequenceNumber: original.sequence, value: record.value, offset: record.offset)
    try held.complete(HeldRecords.Variant(variant: original.variant, record: bare), with: record, original.epoch)
  }

  /// False where the number is taken; then nothing was written.
  private func add(
    _ record: CollectedRecord,
    variant: Int64,
    sameAs original: EarlierReadings.Row?
  ) throws(StoreError) -> Bool {
    addRecord.bind(15, original?.epoch)
    addRecord.bind(16, original?.sequence)
    addRecord.bind(17, original?.variant)
    let fields = unsafe GlucoseMeasurement.Prefix(decoding: record.value.span.bytes)
    addRecord.bind(2, Int64(record.sequenceNumber))
    addRecord.bind(3, variant)
    addRecord.bind(6, record.offset)
    addRecord.bind(7, record.contextIsMissing)
    let baseTime = fields.baseTime?.secondsSince1970
    addRecord.bind(8, baseTime)
    // Without an offset the time on the meter's display is not known (GLS 3.1.1.4).
    addRecord.bind(9, baseTime.flatMap { base in record.offset.map { base + 60 * Int64($0) } })
    addRecord.bind(10, fields.concentration?.float.value)
    switch fields.concentration?.unit {
    case .kilogramsPerLitre: addRecord.bind(11, constant: "kg/L")
    case .molesPerLitre: addRecord.bind(11, constant: "mol/L")
    case nil: addRecord.bindNull(11)
    }
    addRecord.bind(12, fields.type?.rawValue)
    addRecord.bind(13, fields.location?.rawValue)
    addRecord.bind(14, fields.annunciation?.rawValue)
    try addRecord.run(octets: record.value, at: 5)
    return database.changes > 0
  }

  /// The mark goes up only, and never above what is held: the records between would never be asked for.
  private func move(to mark: UInt16, _ baseTime: DateTime?, _ epoch: DeviceStatements.Epoch) throws(StoreError) {
    highest.bind(1, epoch.identifier)
    defer { highest.reset() }
    let isHeld = try highest.next() && !highest.isNull(0) && highest.integer(0) >= Int64(mark)
    guard isHeld else {
      throw .refused("the mark \(mark) is above every record of its epoch, so nothing was stored.")
    }
    guard mark >= epoch.mark ?? 0 else { return }
    moveMark.bind(1, epoch.identifier)
    moveMark.bind(2, Int64(mark))
    moveMark.bind(3, octets: baseTime?.octets)
    try moveMark.run()
  }
}
