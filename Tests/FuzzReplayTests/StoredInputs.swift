import FuzzEntries
import ReferenceCaptures

/// The files under `Tests/Fuzz/Crashes`, a folder for each entry.
enum StoredInputs {
  private static let folder = Folder.package.folder("Tests/Fuzz/Crashes")

  struct Missing: Error {
    var path: String
  }

  /// The inputs kept for an entry; there need not be any, but the folder of all entries must be there.
  static func paths(of entry: FuzzEntry) throws -> [String] {
    guard folder.isThere else { throw Missing(path: folder.path) }
    return folder.folder(entry.name).paths()
  }
}
