import Glibc

/// Captures of real stacks, kept beside the repository.
enum LabCaptures {
  /// Paths of every capture; empty, with the reason printed, where they are not there.
  static let paths: [String] = {
    let root = folder
    let found = ["captures", "captures-collector"].flatMap { listing(root + "/" + $0) }
    if found.isEmpty { print("Lab captures are not tested: \(root) is not there (set RACPSCOPE_LAB).") }
    return found.sorted()
  }()

  private static var folder: String {
    if let set = getenv("RACPSCOPE_LAB") { return String(cString: set) }
    let parts = #filePath.split(separator: "/").dropLast(5)
    return "/" + parts.joined(separator: "/") + "/shared/lab"
  }

  private static func listing(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".btsnoop") { names.append(path + "/" + name) }
    }
    return names
  }

  static func octets(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return octets }
      octets.append(contentsOf: piece[0..<count])
    }
  }
}
