import Glibc

/// Tells whether a store's file was written to since.
struct StoreStamp: Equatable {
  private var device: UInt64
  private var file: UInt64
  private var size: Int64
  private var seconds: Int64
  private var nanoseconds: Int64

  /// The file as it is now; nil where it cannot be looked at.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    file = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
