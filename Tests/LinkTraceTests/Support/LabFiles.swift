import Glibc

/// Captures of the emulated meter and the public corpus, kept outside of the package.
enum LabFiles {
  /// The lab's folder: RACPSCOPE_LAB, else beside the package; nil, with a printed reason, where there is none.
  static let root = folder("RACPSCOPE_LAB", beside: "lab")
  /// The corpus's folder: RACPSCOPE_CORPUS, else beside the package.
  static let corpus = folder("RACPSCOPE_CORPUS", beside: "corpus")

  private static func folder(_ variable: String, beside name: String, file: String = #filePath) -> String? {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    let beside = parts.joined(separator: "/") + "/../shared/" + name
    let root = getenv(variable).map { String(cString: $0) } ?? beside
    if access(root, R_OK) == 0 { return root }
    print("skipped: no folder of \(name) captures; set \(variable) to run these tests")
    return nil
  }

  /// The files of a folder of the lab with an ending, in the order of their names.
  static func files(_ folder: String?, ending: String = "") -> [String] {
    guard let folder, let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), name.hasSuffix(ending) { paths.append(folder + "/" + name) }
    }
    return paths.sorted()
  }

  /// Every scene of both folders: the path of the collector's capture without its ending.
  static var scenes: [String] {
    guard let root else { return [] }
    return
      (files(root + "/captures-collector", ending: ".meter.btsnoop")
      + files(root + "/captures", ending: ".meter.btsnoop"))
      .map { String($0.dropLast(".meter.btsnoop".count)) }
  }

  /// The captures of scenes, of both sides.
  static var captures: [String] { scenes.flatMap { [$0 + ".btsnoop", $0 + ".meter.btsnoop"] } }

  /// The lines of a text file.
  static func lines(_ path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      octets += buffer[..<count]
    }
    return String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// The last part of a path.
func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
