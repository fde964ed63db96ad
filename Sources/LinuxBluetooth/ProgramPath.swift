import Glibc

/// Where the running program is, and paths as a shell takes them.
enum ProgramPath {
  /// The path, quoted for a shell where it must be.
  static var quoted: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return "\"$(command -v racpscope)\"" }
    return quoted(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// A path, quoted for a shell where it must be.
  static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { octet in
      octet >= 0x30 && octet < 0x3A || octet >= 0x41 && octet < 0x5B || octet >= 0x61 && octet < 0x7B
        || [0x2B, 0x2D, 0x2E, 0x2F, 0x5F].contains(octet)
    }
    return isPlain
      ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
