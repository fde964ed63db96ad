import Glibc

extension StoreFile {
  /// How a store can be read without a file being made or changed.
  enum Access {
    /// The file alone: there is nothing beside it that belongs to it.
    case file
    /// The file and the log of writes beside it, with the index of the log that is there too.
    case log
    /// Something beside it must be put in order first, which takes the right to write.
    case repair
  }

  /// Finds a store to read from.
  ///
  /// - Throws: `.missing`, `.foreign`, `.permission`, with nothing touched.
  init(reading name: String) throws(StoreError) {
    self.name = name
    var status = stat()
    guard unsafe stat(name, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw SystemFailure.error(errno, name, "opened") }
      try Self.checkFolder(of: name)
      throw Self.missing(name)
    }
    try Self.checkKind(status, name)
    guard status.st_size > 0 else { throw Self.empty(name) }
    path = Self.resolved(name)
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure.error(errno, name, "opened") }
    _ = close(descriptor)
    try checkOwnership()
    try makePrivate(isNeeded: false)
  }

  /// What is beside the file at the moment.
  func access() throws(StoreError) -> Access {
    if Self.size(path + "-journal") > 0 { return try repair("-journal") }
    guard Self.size(path + "-wal") > 0 else { return .file }
    return Self.size(path + "-shm") > 0 ? .log : try repair("-wal")
  }

  private func repair(_ suffix: String) throws(StoreError) -> Access {
    let folder = Self.folder(of: path)
    if unsafe Glibc.access(path, W_OK) == 0, unsafe Glibc.access(folder, W_OK) == 0 { return .repair }
    throw StoreError(
      .permission,
      "\(name)\(suffix) holds changes that can only be read where the store can be written.",
      hint: "Copy both files to a folder of your own, and name the copy."
    )
  }

  /// 0 for a file that is not there.
  private static func size(_ path: String) -> Int64 {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
