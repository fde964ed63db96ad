import CArchive
import CZlib

/// Archives and compressed streams made in memory.
enum PackedFixture {
  enum Form {
    case zip
    case tarGzip
    case gzip
    case zstd
  }

  static func pack(_ form: Form, _ members: [(String, [UInt8])]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 1 << 16 + members.reduce(0) { $0 + $1.1.count + 2048 })
    let archive = archive_write_new()
    switch form {
    case .zip: archive_write_set_format_zip(archive)
    case .tarGzip:
      archive_write_set_format_ustar(archive)
      archive_write_add_filter_gzip(archive)
    case .gzip:
      archive_write_set_format_raw(archive)
      archive_write_add_filter_gzip(archive)
    case .zstd:
      archive_write_set_format_raw(archive)
      archive_write_add_filter_zstd(archive)
    }
    var used = 0
    output.withUnsafeMutableBytes { buffer in
      archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used)
      for (name, octets) in members {
        let entry = archive_entry_new()
        archive_entry_set_pathname(entry, name)
        archive_entry_set_size(entry, Int64(octets.count))
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        archive_write_header(archive, entry)
        _ = octets.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        archive_entry_free(entry)
      }
      archive_write_close(archive)
    }
    archive_write_free(archive)
    return Array(output[..<used])
  }

  /// The btsnooz section of a bug report around packed records.
  static func btsnooz(version: UInt8, last: UInt64, records: [UInt8]) -> [UInt8] {
    var packed = [UInt8](repeating: 0, count: records.count + 1024)
    var size = uLong(packed.count)
    compress(&packed, &size, records, uLong(records.count))
    let octets =
      [version] + (0..<8).map { UInt8(truncatingIfNeeded: last >> (8 * $0)) } + packed[..<Int(size)]
    let filler = String(repeating: "== dumpstate: some text of a bug report ==\n", count: 50_000)
    return Array(
      (filler + "--- BEGIN:BTSNOOP_LOG_SUMMARY (\(octets.count) bytes in) ---\n" + base64(octets)
        + "\n--- END:BTSNOOP_LOG_SUMMARY ---\nmore\n").utf8
    )
  }

  private static func base64(_ octets: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: octets.count, by: 3) {
      let group = (0..<3).map { start + $0 < octets.count ? UInt32(octets[start + $0]) : 0 }
      let bits = group[0] << 16 | group[1] << 8 | group[2]
      for index in 0..<4 {
        text.append(start + index <= octets.count ? alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)] : "=")
      }
      if start % 96 == 93 { text.append("\n") }
    }
    return text
  }
}
