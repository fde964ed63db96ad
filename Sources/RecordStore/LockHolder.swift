/// Who syncs a meter at the moment.
public struct LockHolder: Sendable, Equatable {
  /// Process identifier.
  public var process: Int32
  /// What it said it is: its command line.
  public var command: String

  public init(process: Int32, command: String) {
    self.process = process
    self.command = command
  }
}

extension LockHolder: CustomStringConvertible {
  /// `process 4711 (racpscope sync F0:0D:CA:FE:00:01)`.
  public var description: String { command.isEmpty ? "process \(process)" : "process \(process) (\(command))" }
}

extension LockHolder {
  /// The text that stands in a lock file.
  var line: [UInt8] { Array("\(process) \(command)\n".utf8) }

  /// Nil where the text names no process.
  init?(line octets: [UInt8]) {
    let text = String(decoding: octets.prefix { $0 != 0x0A }, as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let process = Int32(first) else { return nil }
    self.init(process: process, command: parts.count > 1 ? String(parts[1]) : "")
  }
}
