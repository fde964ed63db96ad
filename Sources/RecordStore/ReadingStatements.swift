import BluetoothWire
import RecordCollector

/// Walks over what is held.
final class ReadingStatements: StatementSet {
  let devices: Statement
  let epochs: Statement
  let records: Statement
  let orphans: Statement
  let runs: Statement
  let runTotals: Statement

  init(_ database: Database) throws(StoreError) {
    devices = try database.prepare("SELECT address, address_type FROM devices ORDER BY address, address_type")
    epochs = try database.prepare(
      """
      SELECT epochs.service, epochs.number, epochs.mark, count(records.sequence), ifnull(sum(records.variant > 0), 0),
        ifnull(sum(records.context_missing), 0),
        (SELECT count(*) FROM orphan_contexts WHERE orphan_contexts.epoch_id = epochs.id), epochs.id
      FROM epochs LEFT JOIN records ON records.epoch_id = epochs.id AND records.same_as_epoch IS NULL
      WHERE epochs.device_id = ?1 GROUP BY epochs.id ORDER BY epochs.service, epochs.number
      """
    )
    records = try database.prepare(
      """
      SELECT records.sequence, records.variant, records.value, records.time_offset, records.context_missing,
        commits.time
      FROM records JOIN commits ON commits.epoch_id = records.epoch_id AND commits.number = records.commit_number
      WHERE records.epoch_id = ?1 AND records.same_as_epoch IS NULL ORDER BY records.sequence, records.variant
      """
    )
    orphans = try database.prepare(
      "SELECT sequence, ordinal, value FROM orphan_contexts WHERE epoch_id = ?1 ORDER BY sequence, ordinal"
    )
    runs = try database.prepare(
      """
      SELECT outcome, detail, is_complete, started, duration, transfer_duration, request, received, contexts, stored,
        already_held, deleted, epoch, mark, count, security_level, key_size, round_trips, used_cache
      FROM runs WHERE device_id = ?1 ORDER BY id
      """
    )
    runTotals = try database.prepare(
      "SELECT count(*), max(CASE WHEN is_complete THEN started END) FROM runs WHERE device_id = ?1"
    )
  }

  /// An epoch and its row.
  struct EpochRow {
    var identifier: Int64
    var epoch: StoredEpoch
  }

  func epochs(of device: Int64) throws(StoreError) -> [EpochRow] {
    epochs.bind(1, device)
    var rows: [EpochRow] = []
    while try epochs.next() {
      // A service that this program does not know is left to the one that wrote it.
      guard let service = StoredService(rawValue: UInt16(clamping: epochs.integer(0))) else { continue }
      let epoch = StoredEpoch(
        service: service,
        number: UInt32(clamping: epochs.integer(1)),
        mark: epochs.integer(2),
        records: Int(epochs.integer(3)),
        variants: Int(epochs.integer(4)),
        missingContexts: Int(epochs.integer(5)),
        orphanContexts: Int(epochs.integer(6))
      )
      rows.append(EpochRow(identifier: epochs.integer(7), epoch: epoch))
    }
    return rows
  }
}
