import Glibc

/// Material kept outside of the package, beside it unless an environment variable names another place.
enum Surroundings {
  /// The package's root.
  static func package(from file: String = #filePath) -> String {
    file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  }

  /// The laboratory's recordings.
  static var laboratory: String {
    getenv("RACPSCOPE_LAB").map { String(cString: $0) } ?? package() + "/../shared/lab"
  }

  /// True where every finding that a missing frame makes is to be printed, warnings too.
  static var printsHoles: Bool { getenv("RACPSCOPE_HOLES") != nil }

  /// True where every example is to be cut at every frame, and not at a part of them.
  static var cutsEverywhere: Bool { getenv("RACPSCOPE_EVERY_CUT") != nil }

  /// True where every single frame of every example is to be left out once, and not a part of them.
  static var triesEveryHole: Bool { getenv("RACPSCOPE_EVERY_HOLE") != nil }

  /// A text file of the folder the laboratory stands in; nil where it is not there.
  static func text(_ path: String) -> String? { read(laboratory + "/../" + path) }

  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      octets += buffer[..<count]
    }
    return String(decoding: octets, as: UTF8.self)
  }

  static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    let octets = Array(text.utf8)
    return fwrite(octets, 1, octets.count, file) == octets.count
  }

  /// The names in a folder, sorted; empty where there is none.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
