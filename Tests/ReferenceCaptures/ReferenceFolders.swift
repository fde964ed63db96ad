import Glibc

/// Captures that are no part of the package, and what else the tests compare with: in the folder RACPSCOPE_CAPTURES
/// names, else in `shared` beside the checkout.
extension Folder {
  /// The package's own folder.
  public static let package = Folder(
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
  )

  private static let reference =
    getenv("RACPSCOPE_CAPTURES").map { Folder(String(cString: $0)) } ?? package.folder("../shared")

  /// Recordings of the emulated meter, with the meter's own log and the records it was given.
  public static let laboratory = reference.folder("lab")
  /// Captures that strangers published of real devices, and files damaged on purpose, with an index.
  public static let corpus = reference.folder("corpus")
  /// Schemas of the formats that reports are written in.
  public static let schemas = reference.folder("schemas")
  /// Sheets of the requirements that rules cite.
  public static let specification = reference.folder("spec")

  /// Why a test that needs the folder is skipped.
  public var absence: String { "there is no folder \(path); RACPSCOPE_CAPTURES names the folder it stands in" }
}
