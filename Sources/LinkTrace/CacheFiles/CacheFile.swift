import BluetoothWire

/// A file that says what a device's attribute handles are (`--gatt FILE`), recognised by its content.
public enum CacheFile {
  /// The largest file that is read, in octets: a database of 65,535 attributes is far smaller.
  public static let largestFile = 16 << 20

  static let hint =
    "Give what racpscope gatt --format json has written, or a file of /var/lib/bluetooth/ADAPTER/cache/."

  /// The attribute databases in `octets`.
  ///
  /// - Parameters:
  ///   - octets: JSON as the `gatt` command writes it, or BlueZ's cache of one device.
  ///   - name: the file's path; BlueZ names its cache files after the device.
  /// - Returns: one database for each device, two where a file cannot say whether an address is public or random. Each
  ///   attribute is `supplied`, or `inferred` where the file says that it was.
  public static func databases(
    in octets: [UInt8],
    name: String
  ) throws(CacheFileError) -> [SuppliedDatabase] {
    guard octets.count <= largestFile else {
      throw CacheFileError("it has \(octets.count) octets, and a file of attributes has fewer.", hint: hint)
    }
    let text = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(octets.dropFirst(3)) : octets
    guard let first = text.first(where: { !isBlank($0) }) else {
      throw CacheFileError("it is empty.", hint: hint)
    }
    switch first {
    case UInt8(ascii: "{"): return try ReportedDatabases.read(text)
    case UInt8(ascii: "["), UInt8(ascii: "#"): return try BlueZCacheFile.read(text, name: name)
    default: throw CacheFileError("it is neither JSON nor a BlueZ cache file.", hint: hint)
    }
  }

  private static func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || (0x09...0x0D).contains(octet) }
}
