import BluetoothWire
import CSQLite

/// One connection to a SQLite file. SQL is always text of this program, never made of data.
@safe final class Database {
  /// The file as the user calls it, for messages.
  let name: String
  private let handle: OpaquePointer

  /// How the file is opened.
  enum Mode {
    /// Reads and writes a file that is there.
    case readWrite
    /// Reads the file alone, without locks and without the files beside it: touches nothing at all.
    case untouched
    /// Reads a file with the log of writes beside it, and makes neither the log nor its index.
    case readOnly
    /// No file.
    case memory
  }

  /// - Parameter path: absolute.
  init(path: String, name: String, mode: Mode) throws(StoreError) {
    self.name = name
    var opened: OpaquePointer?
    let (text, flags): (String, Int32) =
      switch mode {
      case .readWrite: (path, SQLITE_OPEN_READWRITE)
      case .untouched: (Self.uri(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      case .readOnly: (Self.uri(path) + "?readonly_shm=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      case .memory: (":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    let code = unsafe sqlite3_open_v2(text, &opened, flags | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      _ = unsafe sqlite3_close_v2(opened)
      throw StoreError(code: code, detail: "cannot be opened", store: name)
    }
    unsafe self.handle = handle
  }

  /// Statements hold their database, so none is left when it closes.
  deinit { _ = unsafe sqlite3_close_v2(handle) }

  /// Runs statements without parameters or results.
  func execute(_ sql: StaticString) throws(StoreError) {
    try check(
      unsafe sqlite3_exec(handle, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self), nil, nil, nil)
    )
  }

  /// Compiles one statement, to be kept and used again.
  func prepare(_ sql: StaticString) throws(StoreError) -> Statement {
    var compiled: OpaquePointer?
    let text = unsafe UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self)
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try check(unsafe sqlite3_prepare_v3(handle, text, Int32(sql.utf8CodeUnitCount), flags, &compiled, nil))
    guard let compiled = unsafe compiled else {
      throw StoreError(code: SQLITE_ERROR, detail: "an empty statement", store: name)
    }
    return unsafe Statement(compiled, of: self)
  }

  /// The number a query without parameters answers.
  func number(_ sql: StaticString) throws(StoreError) -> Int64 {
    let query = try prepare(sql)
    defer { query.reset() }
    return try query.next() ? query.integer(0) : 0
  }

  /// How many rows the last statement has changed.
  var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// The identifier of the row that was inserted last.
  var lastIdentifier: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  /// Waits so long for another process that writes.
  func wait(milliseconds: Int32) { _ = unsafe sqlite3_busy_timeout(handle, milliseconds) }

  /// Writes: all of `body`, or nothing. The right to write is taken at the start, so that nobody comes in between.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try run("BEGIN IMMEDIATE", body)
  }

  /// Reads: what others write meanwhile is not seen.
  func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    // Inside a transaction everything is one snapshot already.
    isInTransaction ? try body() : try run("BEGIN", body)
  }

  private func run<Result>(
    _ begin: StaticString,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try execute(begin)
    do throws(StoreError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // A full disk may have ended the transaction already.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  private var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// The octets of the file this database would be.
  func serialized() throws(StoreError) -> [UInt8] {
    var count: sqlite3_int64 = 0
    guard let octets = unsafe sqlite3_serialize(handle, "main", &count, 0) else {
      throw StoreError(code: SQLITE_NOMEM, detail: "no memory", store: name)
    }
    defer { unsafe sqlite3_free(octets) }
    return unsafe Array(UnsafeBufferPointer(start: octets, count: Int(count)))
  }

  func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func failure(_ code: Int32) -> StoreError {
    let detail = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? ""
    return StoreError(code: code, detail: detail, store: name)
  }

  /// A path as SQLite wants it in a URI.
  private static func uri(_ path: String) -> String {
    var text = "file:"
    for octet in path.utf8 {
      switch octet {
      case 0x25, 0x3F, 0x23, 0x80...0xFF: text += "%" + hex(CollectionOfOne(octet))
      default: text.unicodeScalars.append(Unicode.Scalar(octet))
      }
    }
    return text
  }
}
