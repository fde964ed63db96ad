import CommandLineInterface
import Glibc

/// What one word of `compare` names.
struct CompareSource {
  let title: String
  let kind: Kind

  enum Kind {
    case captures([String])
    /// A meter by its address or a part of its name, and the file of the store.
    case store(String, path: String)
  }

  init(_ word: String, store: String?) throws(UsageError) {
    title = word
    if let meter = Self.meter(word) {
      guard let store else {
        throw UsageError("'\(word)' needs a store", hint: "name the file with --store")
      }
      guard !meter.isEmpty else {
        throw UsageError("'store:' names no meter", hint: "write store:F0:0D:CA:FE:00:01")
      }
      kind = .store(meter, path: store)
      return
    }
    // A file may have a comma in its name.
    let parts = Self.exists(word) ? [word] : word.split(separator: ",").map(String.init)
    guard !parts.isEmpty else { throw UsageError("'\(word)' names no capture", hint: "name a file") }
    kind = .captures(parts)
  }

  /// What stands behind `store:` where no file has that name.
  private static func meter(_ word: String) -> String? {
    let prefix = "store:"
    guard word.hasPrefix(prefix), !exists(word) else { return nil }
    return String(word.dropFirst(prefix.count))
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The captures, where it names some.
  var files: [String] {
    if case .captures(let paths) = kind { return paths }
    return []
  }

  var readsStandardInput: Bool { files.contains("-") }
}
