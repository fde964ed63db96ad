import BluetoothWire
import Glibc

/// The right to be the only one that syncs a meter into a store; it ends with the value, or with the process.
///
/// An empty-handed process is told who holds it: that stands in a file beside the store, which is locked, not only there.
public final class MeterLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// - Parameters:
  ///   - store: absolute path of the store.
  ///   - command: what this process says it is doing.
  /// - Throws: `.held` where another process, or this one, has it.
  init(store: String, meter: DeviceAddress, command: String) throws(StoreError) {
    let kind = meter.isRandom ? "random" : "public"
    path = "\(store).lock-\(meter.description.filter { $0 != ":" })-\(kind)"
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw SystemFailure.error(errno, path, "opened") }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let reason = errno
        let holder = Self.holder(descriptor)
        _ = close(descriptor)
        guard reason == EWOULDBLOCK else { throw SystemFailure.error(reason, path, "locked") }
        throw StoreError(
          .held(holder),
          "\(meter) is being synced by \(holder?.description ?? "another process").",
          hint: "Wait for it to end, or end it."
        )
      }
      // The one before may have taken the file away between our opening and our locking.
      if Self.isStillAt(path, descriptor) {
        self.descriptor = descriptor
        break
      }
      _ = close(descriptor)
    }
    // Who holds it is a courtesy: a full disk must not keep a meter from being synced.
    let line = LockHolder(process: getpid(), command: command).line
    _ = ftruncate(descriptor, 0)
    _ = unsafe line.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  deinit {
    _ = unsafe unlink(path)
    _ = close(descriptor)
  }

  private static func holder(_ descriptor: Int32) -> LockHolder? {
    var octets = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count > 0 ? LockHolder(line: Array(octets.prefix(count))) : nil
  }

  private static func isStillAt(_ path: String, _ descriptor: Int32) -> Bool {
    var ours = stat()
    var there = stat()
    return unsafe fstat(descriptor, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino
      && ours.st_dev == there.st_dev
  }
}
