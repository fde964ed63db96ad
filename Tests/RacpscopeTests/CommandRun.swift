import Foundation

/// One run of the built program over the project's samples.
struct CommandRun {
  let status: Int32
  let output: String
  let complaint: String

  /// The folder of the package, where `samples/` lies.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The program stands beside the test bundle.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("racpscope")

  /// - Parameter program: another program than this package's.
  init(
    program: String? = nil,
    _ arguments: [String],
    input: Data? = nil,
    environment: [String: String] = [:]
  ) throws {
    let process = Process()
    process.executableURL = program.map { URL(fileURLWithPath: $0) } ?? Self.locate()
    process.arguments = arguments
    process.currentDirectoryURL = Self.root
    var variables = ProcessInfo.processInfo.environment
    variables["TZ"] = "UTC"
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    let output = Pipe()
    let complaint = Pipe()
    process.standardOutput = output
    process.standardError = complaint
    let feed = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : feed
    try process.run()
    if let input {
      DispatchQueue.global().async {
        feed.fileHandleForWriting.write(input)
        try? feed.fileHandleForWriting.close()
      }
    }
    let complaints = Collector(complaint)
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    self.complaint = String(decoding: complaints.wait(), as: UTF8.self)
    status = process.terminationStatus
  }

  static var programPath: String { locate().path }

  private static func locate() -> URL {
    if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    return (bundle ?? program).deletingLastPathComponent().appendingPathComponent("racpscope")
  }

  /// Reads a pipe on its own thread, so that neither stream can fill up and stop the program.
  private final class Collector: @unchecked Sendable {
    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ pipe: Pipe) {
      DispatchQueue.global().async {
        self.data = pipe.fileHandleForReading.readDataToEndOfFile()
        self.done.signal()
      }
    }

    func wait() -> Data {
      done.wait()
      return data
    }
  }
}
