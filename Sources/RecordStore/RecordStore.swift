public import BluetoothWire

/// Every record of every meter that was synced, in one SQLite file that is private to its owner.
///
/// A change is in the file as a whole or not at all, whatever ends the process or fills the disk at whatever moment.
/// Values of this type are for one thread; other processes may use the file at the same time.
public final class RecordStore {
  /// The file as the user called it.
  public let name: String
  /// The same file, absolute and without links.
  public let path: String
  /// What the user should know of the opening.
  public let notices: [StoreNotice]
  let database: Database
  /// The file as it was when it was opened to be read by itself, without the locks that keep writers away.
  private let stamp: StoreStamp?
  private var prepared: [ObjectIdentifier: AnyObject] = [:]

  /// Opens a store; makes an empty one where there is none and `creating` says so.
  ///
  /// - Throws: `.missing`, `.foreign`, `.newer`, `.permission`, with nothing touched; `.busy`, `.full` and the like.
  public convenience init(path: String, creating: Bool = true) throws(StoreError) {
    try self.init(path: path, creating: creating, schema: .current)
  }

  convenience init(path name: String, creating: Bool, schema: StoreSchema) throws(StoreError) {
    let file = try StoreFile(path: name, creating: creating, schema: schema)
    try self.init(writing: file, schema)
  }

  private init(writing file: StoreFile, _ schema: StoreSchema) throws(StoreError) {
    name = file.name
    path = file.path
    stamp = nil
    database = try Database(path: file.path, name: file.name, mode: .readWrite)
    database.wait(milliseconds: 5_000)
    try database.execute(
      """
      PRAGMA trusted_schema = OFF;
      PRAGMA foreign_keys = ON;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      """
    )
    let found = try schema.migrate(database)
    try database.execute("PRAGMA journal_mode = WAL")
    notices = file.notices + (found < schema.version ? [.migrated(from: found, to: schema.version)] : [])
  }

  /// Opens a store to read from it, also where neither the file nor its folder can be written; makes no file.
  ///
  /// What an ended process left beside it is put in order, and an older version brought forward, where that may be
  /// written.
  ///
  /// - Throws: `.missing`, `.foreign`, `.newer`, `.permission`, with nothing touched.
  public convenience init(reading path: String) throws(StoreError) { try self.init(reading: path, schema: .current) }

  convenience init(reading name: String, schema: StoreSchema) throws(StoreError) {
    let file = try StoreFile(reading: name)
    // The stamp comes first: whoever writes after it is noticed.
    let stamp = StoreStamp(file.path)
    switch try file.access() {
    case .repair: try self.init(writing: file, schema)
    case .file: try self.init(reading: file, .untouched, stamp, schema)
    case .log: try self.init(reading: file, .readOnly, nil, schema)
    }
  }

  private init(
    reading file: StoreFile,
    _ mode: Database.Mode,
    _ stamp: StoreStamp?,
    _ schema: StoreSchema
  ) throws(StoreError) {
    name = file.name
    path = file.path
    var database = try Database(path: file.path, name: file.name, mode: mode)
    database.wait(milliseconds: 5_000)
    try database.execute("PRAGMA trusted_schema = OFF")
    var notices = file.notices
    var kept = stamp
    if let found = try schema.olderVersion(of: database) {
      database = try Database(path: file.path, name: file.name, mode: .readWrite)
      database.wait(milliseconds: 5_000)
      _ = try schema.migrate(database)
      notices.append(.migrated(from: found, to: schema.version))
      kept = nil
    }
    self.database = database
    self.stamp = kept
    self.notices = notices
  }

  /// False where there is no store at the path yet, but one can be made.
  public static func isThere(_ path: String) throws(StoreError) -> Bool { try StoreFile.isThere(path) }

  /// Takes the right to sync a meter into this store; nobody else gets it while the lock lives.
  ///
  /// - Parameter command: what this process is doing, for the one that comes second.
  /// - Throws: `.held` by whom.
  public func lock(_ meter: DeviceAddress, command: String) throws(StoreError) -> MeterLock {
    try MeterLock(store: path, meter: meter, command: command)
  }

  /// One state of the store for everything that `body` reads, whatever others write meanwhile.
  public func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) {
      let result = try database.snapshot(body)
      try checkUnchanged()
      return result
    } catch {
      // What looks damaged may only have changed under our eyes.
      try checkUnchanged()
      throw error
    }
  }

  private func checkUnchanged() throws(StoreError) {
    guard let stamp, StoreStamp(path) != stamp else { return }
    throw StoreError(.busy, "\(name) was written to while it was read.", hint: "Read it again.")
  }

  /// A set of statements, compiled at its first use and kept.
  func statements<Set: StatementSet>(_ type: Set.Type = Set.self) throws(StoreError) -> Set {
    if let set = prepared[ObjectIdentifier(type)] as? Set { return set }
    let set = try Set(database)
    prepared[ObjectIdentifier(type)] = set
    return set
  }
}

/// Statements that serve one purpose.
protocol StatementSet: AnyObject {
  init(_ database: Database) throws(StoreError)
}
