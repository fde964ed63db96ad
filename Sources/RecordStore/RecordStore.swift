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
  private var prepared: [ObjectIdentifier: AnyObject] = [:]

  /// Opens a store; makes an empty one where there is none and `creating` says so.
  ///
  /// - Throws: `.missing`, `.foreign`, `.newer`, `.permission`, with nothing touched; `.busy`, `.full` and the like.
  public convenience init(path: String, creating: Bool = true) throws(StoreError) {
    try self.init(path: path, creating: creating, schema: .current)
  }

  init(path name: String, creating: Bool, schema: StoreSchema) throws(StoreError) {
    let file = try StoreFile(path: name, creating: creating, schema: schema)
    self.name = name
    path = file.path
    database = try Database(path: file.path, name: name, mode: .readWrite)
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

  /// Takes the right to sync a meter into this store; nobody else gets it while the lock lives.
  ///
  /// - Parameter command: what this process is doing, for the one that comes second.
  /// - Throws: `.held` by whom.
  public func lock(_ meter: DeviceAddress, command: String) throws(StoreError) -> MeterLock {
    try MeterLock(store: path, meter: meter, command: command)
  }

  /// One state of the store for everything that `body` reads, whatever others write meanwhile.
  public func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try database.snapshot(body)
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
