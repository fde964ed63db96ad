public import BluetoothWire
import Glibc

/// What can be known of BlueZ's daemon without talking to it.
public enum BluetoothDaemon {
  /// True where a process of its name runs.
  public static var isRunning: Bool {
    guard let folder = unsafe opendir("/proc") else { return false }
    defer { unsafe closedir(folder) }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { octets in
        unsafe String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.utf8.allSatisfy({ $0 >= 0x30 && $0 < 0x3A }), !name.isEmpty else { continue }
      if content(of: "/proc/\(name)/comm", limit: 32) == Array("bluetoothd\n".utf8) { return true }
    }
    return false
  }

  /// Whether it holds a bond; nil where its files cannot be read, which takes root.
  public static func holdsBond(adapter: DeviceAddress, peer: DeviceAddress) -> Bool? {
    let folder = "/var/lib/bluetooth/\(adapter)"
    guard unsafe access(folder, R_OK | X_OK) == 0 else { return nil }
    guard let octets = content(of: "\(folder)/\(peer)/info", limit: 65_536) else { return false }
    // Only the headings are looked at: the lines between them hold keys.
    let headings = ["[LongTermKey]", "[PeripheralLongTermKey]", "[SlaveLongTermKey]"]
    return octets.split(separator: 0x0A).contains { line in headings.contains { Array($0.utf8) == Array(line) } }
  }

  private static func content(of path: String, limit: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: limit)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return count >= 0 ? Array(octets.prefix(count)) : nil
  }
}
