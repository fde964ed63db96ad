import Glibc

/// A folder the tests read files of.
public struct Folder: Sendable {
  public var path: String

  public init(_ path: String) { self.path = path }

  public var isThere: Bool { access(path, R_OK | X_OK) == 0 }

  /// A folder or file in it, by its name or a path from here.
  public func path(_ name: String) -> String { path + "/" + name }

  public func folder(_ name: String) -> Folder { Folder(path(name)) }

  /// The names in it with an ending, sorted, without those that begin with a dot; empty where it is not there.
  public func names(ending: String = "") -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted()
  }

  /// The paths of what has these names.
  public func paths(ending: String = "") -> [String] { names(ending: ending).map { path($0) } }
}
