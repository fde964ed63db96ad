import Glibc

/// Real captures kept outside of the package: RACPSCOPE_CORPUS, else beside it.
enum Corpus {
  static func files(in folder: String, from file: String = #filePath) -> [String] {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let beside = parts.joined(separator: "/") + "/../shared/corpus"
    let root = getenv("RACPSCOPE_CORPUS").map { String(cString: $0) } ?? beside
    guard let directory = opendir(root + "/" + folder) else {
      print("skipped: no corpus folder \(folder); set RACPSCOPE_CORPUS to run this test")
      return []
    }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { paths.append(root + "/" + folder + "/" + name) }
    }
    return paths.sorted()
  }
}
