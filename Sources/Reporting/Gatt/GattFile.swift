import Glibc
public import LinkTrace

/// Reads the files that `--gatt` names.
public enum GattFile {
  /// The attribute databases in a file: JSON of the `gatt` command or BlueZ's cache of one device.
  public static func databases(path: String) throws(CacheFileError) -> [SuppliedDatabase] {
    try CacheFile.databases(in: try octets(of: path), name: path)
  }

  static func octets(of path: String) throws(CacheFileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while octets.count <= CacheFile.largestFile {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { break }
      if count > 0 {
        octets.append(contentsOf: piece[0..<count])
      } else if errno != EINTR {
        throw unreadable()
      }
    }
    return octets
  }

  private static func unreadable() -> CacheFileError {
    let reason = unsafe String(cString: strerror(errno))
    return CacheFileError("it cannot be read: \(reason).", hint: "Check the path and who may read it.")
  }
}
