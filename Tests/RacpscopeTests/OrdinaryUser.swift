import Foundation
import Glibc

/// Runs the program as a user whom read-only files and folders bind: root is above them.
enum OrdinaryUser {
  /// Who runs it: this user, or nobody where that is root.
  static let identifier: uid_t = geteuid() == 0 ? 65_534 : geteuid()

  private static let tool = "/usr/bin/setpriv"
  private static let prefix = ["--reuid=\(identifier)", "--regid=\(identifier)", "--clear-groups"]

  /// True where such a user can be had who reaches the program.
  static let isReachable: Bool =
    geteuid() != 0
    || FileManager.default.isExecutableFile(atPath: tool)
      && (try? CommandRun(program: tool, prefix + ["/usr/bin/test", "-x", CommandRun.programPath]).status) == 0

  static var absence: String { "root cannot become a user that reaches \(CommandRun.programPath)" }

  static func run(_ arguments: [String]) throws -> CommandRun {
    guard geteuid() == 0 else { return try CommandRun(arguments) }
    return try CommandRun(program: tool, prefix + [CommandRun.programPath] + arguments)
  }

  /// Gives everything in a folder, and the folder, to that user with these rights.
  static func hand(_ folder: URL, files: mode_t, folder rights: mode_t) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appendingPathComponent(name).path
      if geteuid() == 0 { _ = chown(path, identifier, identifier) }
      _ = chmod(path, files)
    }
    if geteuid() == 0 { _ = chown(folder.path, identifier, identifier) }
    _ = chmod(folder.path, rights)
  }
}
