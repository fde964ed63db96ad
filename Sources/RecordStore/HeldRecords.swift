import BluetoothWire
import HealthProfiles
import RecordCollector

/// Reads what is held under one sequence number, and adds contexts to it.
final class HeldRecords: StatementSet {
  private let find: Statement
  private let contexts: Statement
  private let addContext: Statement
  private let clearMissing: Statement
  private let setOffset: Statement

  init(_ database: Database) throws(StoreError) {
    find = try database.prepare(
      """
      SELECT variant, value, time_offset, context_missing FROM records WHERE epoch_id = ?1 AND sequence = ?2
      ORDER BY variant
      """
    )
    contexts = try database.prepare(
      "SELECT value FROM contexts WHERE epoch_id = ?1 AND sequence = ?2 AND variant = ?3 ORDER BY ordinal"
    )
    addContext = try database.prepare(
      """
      INSERT INTO contexts (epoch_id, sequence, variant, value, carbohydrate, carbohydrate_kg, meal, tester, health,
        exercise_s, exercise_percent, medication, medication_amount, medication_unit, hba1c_percent, ordinal)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
        (SELECT ifnull(max(ordinal), -1) + 1 FROM contexts WHERE epoch_id = ?1 AND sequence = ?2 AND variant = ?3)
      """
    )
    clearMissing = try database.prepare(
      "UPDATE records SET context_missing = 0 WHERE epoch_id = ?1 AND sequence = ?2 AND variant = ?3"
    )
    setOffset = try database.prepare(
      """
      UPDATE records SET time_offset = ?4, time = base_time + 60 * ?4
      WHERE epoch_id = ?1 AND sequence = ?2 AND variant = ?3
      """
    )
  }

  /// A record with the number it has among those of other content.
  struct Variant {
    var variant: Int64
    var record: CollectedRecord
  }

  /// In the order they were stored.
  func records(_ epoch: Int64, _ sequence: UInt16) throws(StoreError) -> [Variant] {
    find.bind(1, epoch)
    find.bind(2, Int64(sequence))
    var variants: [Variant] = []
    while try find.next() {
      let record = CollectedRecord(
        sequenceNumber: sequence,
        value: find.octets(1),
        offset: find.integer(2),
        contextIsMissing: find.flag(3)
      )
      variants.append(Variant(variant: find.integer(0), record: record))
    }
    for index in variants.indices {
      variants[index].record.contexts = try contexts(epoch, sequence, variants[index].variant)
    }
    return variants
  }

  func contexts(_ epoch: Int64, _ sequence: UInt16, _ variant: Int64) throws(StoreError) -> [CollectedContext] {
    contexts.bind(1, epoch)
    contexts.bind(2, Int64(sequence))
    contexts.bind(3, variant)
    var found: [CollectedContext] = []
    while try contexts.next() {
      found.append(CollectedContext(sequenceNumber: sequence, value: contexts.octets(0)))
    }
    return found
  }

  /// Adds what a held record lacks and the same record now brings: the Time Offset in force, and contexts.
  func complete(_ held: Variant, with record: CollectedRecord, _ epoch: Int64) throws(StoreError) {
    if held.record.offset == nil, let offset = record.offset {
      setOffset.bind(1, epoch)
      setOffset.bind(2, Int64(held.record.sequenceNumber))
      setOffset.bind(3, held.variant)
      setOffset.bind(4, Int64(offset))
      try setOffset.run()
    }
    let known = Set(held.record.contexts)
    let lacking = record.contexts.filter { !known.contains($0) }
    guard !lacking.isEmpty else { return }
    for context in lacking { try add(context, epoch, held.record.sequenceNumber, variant: held.variant) }
    clearMissing.bind(1, epoch)
    clearMissing.bind(2, Int64(held.record.sequenceNumber))
    clearMissing.bind(3, held.variant)
    try clearMissing.run()
  }

  /// Adds a context; a value that does not decode is kept as it is.
  func add(_ context: CollectedContext, _ epoch: Int64, _ sequence: UInt16, variant: Int64) throws(StoreError) {
    let fields = try? unsafe GlucoseMeasurementContext(decoding: context.value.span.bytes)
    addContext.bind(1, epoch)
    addContext.bind(2, Int64(sequence))
    addContext.bind(3, variant)
    addContext.bind(5, fields?.carbohydrate?.identifier.rawValue)
    addContext.bind(6, fields?.carbohydrate?.kilograms.value)
    addContext.bind(7, fields?.meal?.rawValue)
    addContext.bind(8, fields?.condition?.tester.rawValue)
    addContext.bind(9, fields?.condition?.health.rawValue)
    addContext.bind(10, fields?.exercise?.seconds)
    addContext.bind(11, fields?.exercise?.intensity)
    addContext.bind(12, fields?.medication?.identifier.rawValue)
    addContext.bind(13, fields?.medication?.amount.value)
    switch fields?.medication == nil ? nil : fields?.medicationUnit {
    case .kilograms: addContext.bind(14, constant: "kg")
    case .litres: addContext.bind(14, constant: "L")
    case nil: addContext.bindNull(14)
    }
    addContext.bind(15, fields?.hemoglobinA1c?.value)
    try addContext.run(octets: context.value, at: 4)
  }
}
