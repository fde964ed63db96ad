import CSQLite

extension StoreError {
  /// What a result code of SQLite means for the user; `detail` is SQLite's own text.
  init(code: Int32, detail: String, store: String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.busy, "\(store) is being written by another process.", hint: "Wait for it to end and try again.")
    case SQLITE_FULL:
      self.init(.full, "\(store) cannot grow: the disk is full.", hint: "Make room and try again; nothing was lost.")
    case SQLITE_IOERR:
      self.init(
        .inputOutput(code),
        "\(store) cannot be read or written: input/output error \(code).",
        hint: "Check the disk and its free space, then try again; nothing was lost."
      )
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      self.init(
        .permission,
        "\(store) cannot be written: permission denied.",
        hint: "Check who owns it and its folder."
      )
    case SQLITE_CANTOPEN:
      self.init(
        .permission,
        "\(store) or a file beside it cannot be opened.",
        hint: "Check who owns it and its folder, and that the disk has room."
      )
    case SQLITE_CORRUPT:
      self.init(.corrupt, "\(store) is damaged.", hint: "Keep a copy; 'sqlite3 \(store) .recover' may read it.")
    case SQLITE_NOTADB:
      self.init(.foreign, "\(store) is not a racpscope store.", hint: "Name another file; this one was not touched.")
    default:
      self.init(
        .other(code),
        "\(store) does not do as asked: \(detail) (SQLite \(code)).",
        hint: "Try again; nothing was lost. If it stays so, keep a copy of the store and name another one."
      )
    }
  }

  /// What was handed in breaks the rules of the store.
  static func refused(_ message: String) -> StoreError {
    StoreError(.refused, message, hint: "The meter still has its records: sync again, or into another store.")
  }

  /// What is in the file contradicts itself.
  static func damaged(_ message: String) -> StoreError {
    StoreError(.corrupt, message, hint: "Keep a copy of the store, and sync into another one.")
  }
}
