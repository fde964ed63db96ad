import Glibc

/// Archives of one input that are open and idle, each somewhere behind its first entries.
///
/// Captures of an archive are mostly read in its order: one that goes on where the one before has ended costs no walk
/// from the archive's beginning. Few are kept, so that memory and descriptors stay bounded; each is used by one reader at
/// a time.
@safe final class ArchivePool: @unchecked Sendable {
  /// An open archive.
  struct Place {
    var archive: Archive
    /// The entries that lead to the archive, outermost first.
    var path: [Int]
  }

  /// Two for each reader of a pair of rotated logs, which are read the other way round.
  private static let keptAtMost = 8

  private var idle: [Place] = []
  private var openings = 0
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// How often an archive had to be opened from its beginning.
  var openingCount: Int {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return openings
  }

  /// Takes the idle archive that is nearest before an entry; nil where there is none.
  func take(before ordinal: Int, in path: ArraySlice<Int>) -> Place? {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    var best: Int?
    for (index, place) in idle.enumerated() where place.archive.entries <= ordinal && place.path.elementsEqual(path) {
      if best.map({ idle[$0].archive.entries < place.archive.entries }) ?? true { best = index }
    }
    return best.map { idle.remove(at: $0) }
  }

  /// Counts that an archive is opened from its beginning.
  func countOpening() {
    unsafe pthread_mutex_lock(lock)
    openings += 1
    unsafe pthread_mutex_unlock(lock)
  }

  /// Gives an archive back; the one that has waited longest makes room.
  func give(_ place: Place) {
    unsafe pthread_mutex_lock(lock)
    // Letting an archive go may give another one back, that it stands in: never under the lock.
    let oldest = idle.count >= Self.keptAtMost ? idle.removeFirst() : nil
    idle.append(place)
    unsafe pthread_mutex_unlock(lock)
    withExtendedLifetime(oldest) {}
  }
}
