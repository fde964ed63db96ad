import FuzzEntries
import Glibc

/// The files under `Tests/Fuzz/Crashes`, a folder for each entry.
enum StoredInputs {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    + "/Fuzz/Crashes"

  struct Missing: Error {
    var path: String
  }

  /// The inputs kept for an entry; there need not be any, but the folder of all entries must be there.
  static func paths(of entry: FuzzEntry) throws -> [String] {
    guard access(folder, R_OK) == 0 else { throw Missing(path: folder) }
    return names(in: "\(folder)/\(entry.name)").sorted().map { "\(folder)/\(entry.name)/\($0)" }
  }

  static func octets(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return octets }
      octets.append(contentsOf: piece[..<count])
    }
  }

  private static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
