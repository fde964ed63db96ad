import RecordCollector

/// Reads and writes what is remembered of a meter besides its records.
final class MeterStatements: StatementSet {
  private let describe: Statement
  private let rename: Statement
  private let attributes: Statement
  private let setAttributes: Statement
  private let clearAttributes: Statement
  private let setUnsupported: Statement
  private let countRecords: Statement
  private let addRun: Statement
  private let countRun: Statement

  init(_ database: Database) throws(StoreError) {
    describe = try database.prepare(
      """
      SELECT name, manufacturer, model, serial, firmware, system_id, feature, unsupported_requests FROM devices
      WHERE id = ?1
      """
    )
    rename = try database.prepare(
      """
      UPDATE devices SET name = ifnull(?2, name), manufacturer = ifnull(?3, manufacturer), model = ifnull(?4, model),
        serial = ifnull(?5, serial), firmware = ifnull(?6, firmware), system_id = ifnull(?7, system_id),
        feature = ifnull(?8, feature)
      WHERE id = ?1
      """
    )
    attributes = try database.prepare("SELECT value FROM attribute_caches WHERE device_id = ?1")
    setAttributes = try database.prepare("INSERT OR REPLACE INTO attribute_caches VALUES (?1, ?2)")
    clearAttributes = try database.prepare("DELETE FROM attribute_caches WHERE device_id = ?1")
    setUnsupported = try database.prepare("UPDATE devices SET unsupported_requests = ?2 WHERE id = ?1")
    countRecords = try database.prepare("SELECT count(*) FROM records WHERE epoch_id = ?1 AND variant = 0")
    addRun = try database.prepare(
      """
      INSERT INTO runs (device_id, outcome, detail, is_complete, started, duration, transfer_duration, request, received,
        contexts, stored, already_held, deleted, epoch, mark, count, security_level, key_size, round_trips, used_cache)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
      """
    )
    countRun = try database.prepare(
      """
      UPDATE epochs SET runs_since_full_fetch = runs_since_full_fetch + 1
      WHERE id = (SELECT id FROM epochs WHERE device_id = ?1 ORDER BY number DESC LIMIT 1)
      """
    )
  }

  /// Fills in what Device Information told; false where it was never read.
  func describe(_ device: Int64, _ identity: inout SensorIdentity, _ unsupported: inout UnsupportedRequests)
    throws(StoreError) -> Bool
  {
    describe.bind(1, device)
    defer { describe.reset() }
    guard try describe.next() else { return false }
    identity.name = describe.text(0)
    identity.manufacturer = describe.text(1)
    identity.model = describe.text(2)
    identity.serial = describe.text(3)
    identity.firmware = describe.text(4)
    identity.systemID = describe.isNull(5) ? nil : describe.octets(5)
    identity.feature = describe.integer(6)
    unsupported = UnsupportedRequests(rawValue: UInt16(truncatingIfNeeded: describe.integer(7)))
    return (0..<7).contains { !describe.isNull($0) }
  }

  func remember(_ identity: SensorIdentity, of device: Int64) throws(StoreError) {
    rename.bind(1, device)
    rename.bind(2, text: identity.name)
    rename.bind(3, text: identity.manufacturer)
    rename.bind(4, text: identity.model)
    rename.bind(5, text: identity.serial)
    rename.bind(6, text: identity.firmware)
    rename.bind(7, octets: identity.systemID)
    rename.bind(8, identity.feature)
    try rename.run()
  }

  func attributes(of device: Int64) throws(StoreError) -> AttributeCache? {
    attributes.bind(1, device)
    defer { attributes.reset() }
    return try attributes.next() ? AttributeCache(octets: attributes.octets(0)) : nil
  }

  func remember(_ cache: AttributeCache?, of device: Int64) throws(StoreError) {
    guard let cache else {
      clearAttributes.bind(1, device)
      return try clearAttributes.run()
    }
    setAttributes.bind(1, device)
    try setAttributes.run(octets: cache.octets, at: 2)
  }

  func remember(_ unsupported: UnsupportedRequests, of device: Int64) throws(StoreError) {
    setUnsupported.bind(1, device)
    setUnsupported.bind(2, Int64(unsupported.rawValue))
    try setUnsupported.run()
  }

  func countRecords(epoch: Int64) throws(StoreError) -> Int {
    countRecords.bind(1, epoch)
    defer { countRecords.reset() }
    return try countRecords.next() ? Int(countRecords.integer(0)) : 0
  }

  func record(_ run: SyncRun, of device: Int64) throws(StoreError) {
    addRun.bind(1, device)
    addRun.bind(2, text: run.outcome.name)
    addRun.bind(3, text: run.outcome.storedDetail)
    addRun.bind(4, run.outcome.isComplete)
    addRun.bind(5, run.startedAt)
    addRun.bind(6, Double(run.duration) / 1e9)
    addRun.bind(7, Double(run.transferDuration) / 1e9)
    addRun.bind(8, octets: run.request)
    addRun.bind(9, Int64(run.received))
    addRun.bind(10, Int64(run.contexts))
    addRun.bind(11, Int64(run.stored))
    addRun.bind(12, Int64(run.alreadyHeld))
    addRun.bind(13, Int64(run.deleted))
    addRun.bind(14, Int64(run.epoch))
    addRun.bind(15, run.mark)
    addRun.bind(16, run.count)
    addRun.bind(17, Int64(run.security.level))
    addRun.bind(18, Int64(run.security.keySize))
    addRun.bind(19, Int64(run.roundTrips))
    addRun.bind(20, run.usedCache)
    try addRun.run()
    guard run.outcome.isComplete else { return }
    // A commit of everything sets -1, so that its own run brings the count to 0.
    countRun.bind(1, device)
    try countRun.run()
  }
}
