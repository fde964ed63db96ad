/// The tables of a store, as the steps from each version to the next.
struct StoreSchema: Sendable {
  /// `RACP` in the header of the file, by which a store is told from the database of another program.
  static let applicationIdentifier: Int64 = 0x5241_4350

  /// Step n brings version n to version n + 1; version 0 is an empty database.
  var steps: [Step]

  /// SQL, and the statement that writes the version it leads to: a pragma takes no parameters.
  struct Step: Sendable {
    var sql: StaticString
    var setVersion: StaticString
  }

  static let current = StoreSchema(steps: [
    Step(sql: version1, setVersion: "PRAGMA user_version = 1"),
    Step(sql: version2, setVersion: "PRAGMA user_version = 2"),
  ])

  var version: Int { steps.count }

  /// The octets of a new, empty store.
  func emptyStore(name: String) throws(StoreError) -> [UInt8] {
    let database = try Database(path: "", name: name, mode: .memory)
    try database.execute("PRAGMA application_id = 0x52414350")
    try bring(database, from: 0)
    return try database.serialized()
  }

  /// Brings a store forward to this version, all steps in one transaction; the version it had.
  ///
  /// A newer store is refused and left as it is.
  func migrate(_ database: Database) throws(StoreError) -> Int {
    let found = Int(try database.number("PRAGMA user_version"))
    guard found != version else { return found }
    try refuse(newer: found, database)
    // Another process may have done it meanwhile, or be newer.
    return try database.transaction { () throws(StoreError) -> Int in
      let found = Int(try database.number("PRAGMA user_version"))
      try refuse(newer: found, database)
      try bring(database, from: found)
      return found
    }
  }

  /// The version of a store that is older than this program's; nil for one of its own.
  func olderVersion(of database: Database) throws(StoreError) -> Int? {
    let found = Int(try database.number("PRAGMA user_version"))
    try refuse(newer: found, database)
    return found < version ? found : nil
  }

  private func bring(_ database: Database, from version: Int) throws(StoreError) {
    for step in steps.dropFirst(max(0, version)) {
      try database.execute(step.sql)
      try database.execute(step.setVersion)
    }
  }

  private func refuse(newer found: Int, _ database: Database) throws(StoreError) {
    guard found > version else { return }
    throw StoreError(
      .newer(version: found),
      "\(database.name) is of version \(found), and this program knows stores up to version \(version).",
      hint: "Use the newer racpscope that wrote it; the store was not touched."
    )
  }
}
