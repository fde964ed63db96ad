import CSQLite

/// One compiled SQL statement. Parameters count from 1, columns of a result from 0.
///
/// Parameters keep their values from run to run; octets bound by `run(octets:at:)` are only there during that run.
@safe final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { _ = unsafe sqlite3_finalize(handle) }

  // MARK: Parameters

  func bind(_ place: Int32, _ number: Int64) { _ = unsafe sqlite3_bind_int64(handle, place, number) }

  func bind(_ place: Int32, _ number: Int64?) {
    if let number { bind(place, number) } else { bindNull(place) }
  }

  func bind(_ place: Int32, _ number: (some FixedWidthInteger)?) { bind(place, number.map { Int64($0) }) }

  func bind(_ place: Int32, _ number: Double?) {
    if let number { _ = unsafe sqlite3_bind_double(handle, place, number) } else { bindNull(place) }
  }

  func bind(_ place: Int32, _ flag: Bool) { bind(place, Int64(flag ? 1 : 0)) }

  func bindNull(_ place: Int32) { _ = unsafe sqlite3_bind_null(handle, place) }

  /// Text of this program, which is never copied.
  func bind(_ place: Int32, constant text: StaticString) {
    let start = unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    _ = unsafe sqlite3_bind_text(handle, place, start, Int32(text.utf8CodeUnitCount), nil)
  }

  /// Text, copied.
  func bind(_ place: Int32, text: String?) {
    guard var text else { return bindNull(place) }
    text.withUTF8 { octets in
      let start = unsafe UnsafeRawPointer(octets.baseAddress)?.assumingMemoryBound(to: CChar.self)
      if octets.isEmpty {
        _ = unsafe sqlite3_bind_text(handle, place, "", 0, Self.transient)
      } else {
        _ = unsafe sqlite3_bind_text(handle, place, start, Int32(octets.count), Self.transient)
      }
    }
  }

  /// Octets, copied.
  func bind(_ place: Int32, octets: [UInt8]?) {
    guard let octets else { return bindNull(place) }
    unsafe octets.withUnsafeBytes { unsafe bind(place, $0, Self.transient) }
  }

  private func bind(_ place: Int32, _ octets: UnsafeRawBufferPointer, _ destructor: sqlite3_destructor_type?) {
    if unsafe octets.isEmpty {
      _ = unsafe sqlite3_bind_zeroblob(handle, place, 0)
    } else {
      _ = unsafe sqlite3_bind_blob(handle, place, octets.baseAddress, Int32(octets.count), destructor)
    }
  }

  /// SQLITE_TRANSIENT, a macro that is a cast.
  private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  // MARK: Running

  /// Runs a statement that answers nothing, or whose answer does not matter.
  func run() throws(StoreError) {
    let code = unsafe sqlite3_step(handle)
    reset()
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.failure(code) }
  }

  /// Runs it with octets that are not copied.
  func run(octets: [UInt8], at place: Int32) throws(StoreError) {
    let code = unsafe octets.withUnsafeBytes { bytes in
      unsafe bind(place, bytes, nil)
      let code = unsafe sqlite3_step(handle)
      reset()
      bindNull(place)
      return code
    }
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.failure(code) }
  }

  /// Goes to the next row of the result; false after the last.
  func next() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    reset()
    guard code == SQLITE_DONE else { throw database.failure(code) }
    return false
  }

  /// Ends a result that is not read to its end.
  func reset() { _ = unsafe sqlite3_reset(handle) }

  // MARK: Columns

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Nil for NULL and for what does not fit.
  func integer<Number: FixedWidthInteger>(_ column: Int32, as: Number.Type = Number.self) -> Number? {
    isNull(column) ? nil : Number(exactly: integer(column))
  }

  /// Nil for NULL.
  func real(_ column: Int32) -> Double? {
    isNull(column) ? nil : unsafe sqlite3_column_double(handle, column)
  }

  func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  func text(_ column: Int32) -> String? {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Empty for NULL.
  func octets(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
