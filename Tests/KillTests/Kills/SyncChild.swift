import Foundation
import Glibc

/// One `sync-child` and this process's end of the socket between them.
struct SyncChild {
  let descriptor: Int32
  private let process: pid_t

  struct CannotStart: Error { let number: Int32 }

  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("sync-child").path

  /// The child finds its end under this number.
  private static let inherited: Int32 = 9

  init(store: String) throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw CannotStart(number: errno) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], Self.inherited)
    let arguments: [String] = [Self.program, store, String(Self.inherited)]
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { text in strdup(text) } + [nil]
    defer { for word in words { free(word) } }
    var identifier: pid_t = 0
    let result = posix_spawn(&identifier, Self.program, &actions, nil, words, environ)
    guard result == 0 else {
      close(ends[0])
      throw CannotStart(number: result)
    }
    process = identifier
    descriptor = ends[0]
  }

  /// The next PDU of the child; nil where it has closed its end.
  func receive() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  func send(_ pdu: [UInt8]) {
    _ = pdu.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  func kill() { _ = Glibc.kill(process, SIGKILL) }

  /// Waits for its end; the exit status, nil where a signal ended it.
  func end() -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    close(descriptor)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }
}
