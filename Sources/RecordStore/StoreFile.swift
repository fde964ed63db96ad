import Glibc

/// The file of a store: where it is, that it is a store, that it is private.
struct StoreFile {
  /// As the user called it.
  let name: String
  /// Absolute and without links, so that everybody means the same file by it.
  let path: String
  var notices: [StoreNotice] = []

  /// What SQLite puts beside it.
  private static let companions = ["-wal", "-shm", "-journal"]

  /// Finds the store, or makes an empty one where `creating`.
  ///
  /// A file that is no store is never written to.
  init(path name: String, creating: Bool, schema: StoreSchema) throws(StoreError) {
    self.name = name
    var status = stat()
    if unsafe stat(name, &status) != 0 {
      guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure.error(errno, name, "opened") }
      try Self.checkFolder(of: name)
      guard creating else { throw Self.missing(name) }
      try Self.create(name, replacingEmptyFile: false, schema)
    } else {
      try Self.checkKind(status, name)
      if status.st_size == 0 {
        guard creating else { throw Self.empty(name) }
        try Self.create(name, replacingEmptyFile: true, schema)
      }
    }
    path = Self.resolved(name)
    if unsafe Glibc.access(path, R_OK | W_OK) != 0 { throw SystemFailure.error(errno, name, "opened for writing") }
    try checkOwnership()
    try makePrivate(isNeeded: true)
  }

  /// False where a store would have to be made: there is no file, or an empty one.
  static func isThere(_ name: String) throws(StoreError) -> Bool {
    var status = stat()
    guard unsafe stat(name, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure.error(errno, name, "opened") }
      try checkFolder(of: name)
      return false
    }
    try checkKind(status, name)
    return status.st_size > 0
  }

  static func missing(_ name: String) -> StoreError {
    StoreError(.missing, "there is no store \(name).", hint: "'racpscope sync' makes one; check the path.")
  }

  static func empty(_ name: String) -> StoreError {
    StoreError(.foreign, "\(name) is empty and not a racpscope store.", hint: "Name a store; check the path.")
  }

  static func checkKind(_ status: stat, _ name: String) throws(StoreError) {
    guard status.st_mode & S_IFMT != S_IFREG else { return }
    let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no ordinary file"
    throw StoreError(.foreign, "\(name) is \(what), so no store can be there.", hint: "Name a file.")
  }

  /// Looks at the file without touching it.
  func checkOwnership() throws(StoreError) {
    let database = try Database(path: path, name: name, mode: .untouched)
    guard try database.number("PRAGMA application_id") == StoreSchema.applicationIdentifier else {
      throw StoreError(
        .foreign,
        "\(name) is not a racpscope store.",
        hint: "Name another file; this one was not touched."
      )
    }
  }

  /// Takes the rights of others away from every file of the store.
  ///
  /// - Parameter isNeeded: false where a store that stays open to others is only worth a notice.
  mutating func makePrivate(isNeeded: Bool) throws(StoreError) {
    for suffix in [""] + Self.companions {
      let file = path + suffix
      var status = stat()
      guard unsafe stat(file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard unsafe chmod(file, 0o600) == 0, unsafe stat(file, &status) == 0, status.st_mode & 0o077 == 0 else {
        guard isNeeded else {
          notices.append(.openToOthers(path: name + suffix))
          continue
        }
        throw StoreError(
          .permission,
          "\(name)\(suffix) can be read by others, which cannot be changed here.",
          hint: "It may hold keys of bonds: keep the store in a folder of your own, on a file system with permissions."
        )
      }
      notices.append(.madePrivate(path: name + suffix))
    }
  }

  // MARK: A new store

  /// Puts a whole, empty store in its place at once: nobody ever sees a part of it.
  private static func create(_ name: String, replacingEmptyFile: Bool, _ schema: StoreSchema) throws(StoreError) {
    for suffix in companions where unsafe Glibc.access(resolved(name) + suffix, F_OK) == 0 {
      throw StoreError(
        .foreign,
        "\(name)\(suffix) is there without the database it belongs to.",
        hint: "Put the database back, or move that file away."
      )
    }
    let octets = try schema.emptyStore(name: name)
    let prefix = (replacingEmptyFile ? resolved(name) : name) + ".new-"
    var template = Array((prefix + String(repeating: "X", count: 6)).utf8CString)
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { text in
      guard let base = text.baseAddress else { return Int32(-1) }
      return unsafe mkstemp(base)
    }
    guard descriptor >= 0 else { throw SystemFailure.error(errno, name, "made") }
    let draft = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var failed = write(octets, to: descriptor)
    if failed == 0, fsync(descriptor) != 0 { failed = errno }
    if close(descriptor) != 0, failed == 0 { failed = errno }
    if failed == 0 { failed = place(draft, at: name, replacingEmptyFile) }
    _ = unsafe unlink(draft)
    guard failed == 0 else { throw SystemFailure.error(failed, name, "made") }
    flushFolder(of: name)
  }

  /// Where another process was quicker, its store stays.
  private static func place(_ draft: String, at name: String, _ replacingEmptyFile: Bool) -> Int32 {
    if replacingEmptyFile { return unsafe rename(draft, resolved(name)) == 0 ? 0 : errno }
    if unsafe link(draft, name) == 0 || errno == EEXIST { return 0 }
    // File systems without links.
    guard errno == EPERM || errno == EOPNOTSUPP else { return errno }
    return unsafe rename(draft, name) == 0 ? 0 : errno
  }

  private static func write(_ octets: [UInt8], to descriptor: Int32) -> Int32 {
    var place = 0
    while place < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: place), octets.count - place)
      }
      if count > 0 { place += count } else if errno != EINTR { return errno }
    }
    return 0
  }

  /// A name that is in its folder only in memory would be gone after a power cut.
  private static func flushFolder(of path: String) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    _ = close(descriptor)
  }

  // MARK: Paths

  static func checkFolder(of path: String) throws(StoreError) {
    let folder = folder(of: path)
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else {
      throw StoreError(
        .missing,
        "\(path) cannot be opened: the folder \(folder) does not exist.",
        hint: "Make the folder first, or name another file."
      )
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw StoreError(.missing, "\(path) cannot be opened: \(folder) is not a folder.", hint: "Name another file.")
    }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
