import Foundation

/// A folder of its own, gone with the value.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("racpscope-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The path of a copy of a sample.
  func copy(_ sample: String, as name: String) throws -> String {
    try octets(ofSample: sample).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  func octets(ofSample sample: String) throws -> Data {
    try Data(contentsOf: CommandRun.root.appendingPathComponent("samples/" + sample))
  }

  func octets(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

  func text(_ name: String) throws -> String { String(decoding: try octets(name), as: UTF8.self) }

  /// Every name in it.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }

  /// Runs a line of the shell with the program's path in `$racpscope`.
  func shell(_ line: String) throws -> (status: Int32, complaint: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = CommandRun.root
    process.environment = ["racpscope": CommandRun.programPath, "TZ": "UTC", "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    let complaint = Pipe()
    process.standardError = complaint
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: complaint.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
