import Foundation

/// The program that writes into stores, as a process of its own.
final class WriterRun {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var text = ""

  init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("store-writer")
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  /// Waits for the first line.
  func firstLine() -> String {
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return text.split(separator: "\n").first.map(String.init) ?? ""
  }

  /// Ends it at once, as a power cut of the process.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  func endInput() throws { try input.fileHandleForWriting.close() }

  /// Waits for its end: every line it wrote.
  func lines() -> [String] {
    text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }

  var status: Int32 { process.terminationStatus }
  var identifier: Int32 { process.processIdentifier }
}
