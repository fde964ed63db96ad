import Foundation
import Glibc

/// Runs the program as a user whom read-only files and folders bind: root is above them.
enum OrdinaryUser {
  /// Who runs it: this user, or nobody where that is root.
  static let identifier: uid_t = geteuid() == 0 ? 65_534 : geteuid()

  /// Nil, with the reason printed, where no such user can be had.
  static func run(_ arguments: [String]) throws -> CommandRun? {
    guard geteuid() == 0 else { return try CommandRun(arguments) }
    let tool = "/usr/bin/setpriv"
    let prefix = ["--reuid=\(identifier)", "--regid=\(identifier)", "--clear-groups"]
    let isReachable =
      try FileManager.default.isExecutableFile(atPath: tool)
      && CommandRun(program: tool, prefix + ["/usr/bin/test", "-x", CommandRun.programPath]).status == 0
    guard isReachable else {
      print("not run as an ordinary user: root cannot become one that reaches \(CommandRun.programPath)")
      return nil
    }
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
