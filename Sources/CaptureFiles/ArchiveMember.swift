/// The octets of an archive's current member.
final class ArchiveMember: ByteSource {
  private let archive: Archive
  private weak var pool: ArchivePool?
  private let path: [Int]

  /// - Parameters:
  ///   - pool: where the archive goes for the next reader once this member is done with.
  ///   - path: the entries that lead to the archive, outermost first.
  init(_ archive: Archive, pool: ArchivePool? = nil, path: [Int] = []) {
    self.archive = archive
    self.pool = pool
    self.path = path
  }

  deinit {
    guard archive.failure == nil else { return }
    pool?.give(ArchivePool.Place(archive: archive, path: path))
  }

  override var isUnpacked: Bool { true }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = unsafe archive.read(into: buffer)
    failure = archive.failure
    return count
  }
}
