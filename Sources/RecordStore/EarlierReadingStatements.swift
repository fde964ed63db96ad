/// Reads what earlier epochs hold.
final class EarlierReadingStatements: StatementSet {
  private let rows: Statement
  private let taken: Statement

  init(_ database: Database) throws(StoreError) {
    rows = try database.prepare(
      """
      SELECT records.epoch_id, records.sequence, records.variant, records.value
      FROM epochs AS new
      JOIN epochs AS old ON old.device_id = new.device_id AND old.service = new.service AND old.number < new.number
      JOIN records ON records.epoch_id = old.id
      WHERE new.id = ?1 AND records.same_as_epoch IS NULL
      ORDER BY old.number, records.sequence, records.variant
      """
    )
    taken = try database.prepare(
      """
      SELECT same_as_epoch, same_as_sequence, same_as_variant FROM records
      WHERE epoch_id = ?1 AND same_as_epoch IS NOT NULL
      """
    )
  }

  /// The readings held before an epoch that none of its records stands for.
  func readings(before epoch: Int64) throws(StoreError) -> EarlierReadings {
    taken.bind(1, epoch)
    var known: Set<EarlierReadings.Row> = []
    while try taken.next() { known.insert(row(taken)) }
    rows.bind(1, epoch)
    var readings = EarlierReadings()
    while try rows.next() {
      let row = row(rows)
      if !known.contains(row) { readings.add(row, value: rows.octets(3)) }
    }
    return readings
  }

  private func row(_ statement: Statement) -> EarlierReadings.Row {
    EarlierReadings.Row(
      epoch: statement.integer(0),
      sequence: UInt16(truncatingIfNeeded: statement.integer(1)),
      variant: statement.integer(2)
    )
  }
}
