import CSQLite
import Testing

/// SQL that comes from a file, which the store itself never runs.
enum SQLText {
  static func run(_ text: String, path: String) throws {
    try with(path) { handle in
      #expect(sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    }
  }

  /// The text of every table, index and view, in order of their names.
  static func schema(path: String) throws -> [String] {
    var rows: [String] = []
    try with(path) { handle in
      var statement: OpaquePointer?
      let query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
      #expect(sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK)
      while sqlite3_step(statement) == SQLITE_ROW {
        if let text = sqlite3_column_text(statement, 0) { rows.append(String(cString: text)) }
      }
      sqlite3_finalize(statement)
    }
    return rows
  }

  /// The first column of the first row.
  static func number(_ query: String, path: String) throws -> Int64 {
    var number: Int64 = -1
    try with(path) { handle in
      var statement: OpaquePointer?
      #expect(sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK)
      if sqlite3_step(statement) == SQLITE_ROW { number = sqlite3_column_int64(statement, 0) }
      sqlite3_finalize(statement)
    }
    return number
  }

  private static func with(_ path: String, _ body: (OpaquePointer?) -> Void) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    body(handle)
    sqlite3_close(handle)
  }
}
