import CaptureFiles
import Glibc
import Scenarios

/// Writes ready-made scenarios and benchmark captures.
enum MakeScenario {
  static let usage = """
    usage: make-scenario NAME OUTPUT [--format FORMAT] [--fragment N] [--clip headers|channels|ring]
                         [--side collector|sensor] [--without-discovery]
           make-scenario --list
           make-scenario --bench OUTPUT LINKS RECORDS METERS [--times N] [--format FORMAT]
           make-scenario --single OUTPUT RECORDS [--times N] [--format FORMAT]
    formats: \(FormatName.allCases.map(\.rawValue).joined(separator: " "))
    """

  /// What is wrong with the arguments or the file.
  struct Problem: Error {
    var text: String
  }

  /// The exit code: 0 written, 1 not written, 2 wrong arguments.
  static func run(_ arguments: [String]) -> Int32 {
    do throws(Problem) {
      try perform(arguments)
      return 0
    } catch {
      complain(error.text)
      return error.text == usage ? 2 : 1
    }
  }

  private static func perform(_ arguments: [String]) throws(Problem) {
    var options = try MakeScenarioOptions(arguments)
    let names = options.positional
    switch options.mode {
    case .list:
      for entry in Scenario.catalogue {
        print(entry.name + String(repeating: " ", count: max(1, 26 - entry.name.utf8.count)) + entry.summary)
      }
    case .scenario:
      guard names.count == 2 else { throw Problem(text: usage) }
      guard let scenario = Scenario.named(names[0]) else {
        throw Problem(text: "make-scenario: no scenario is named \(names[0]); --list shows them")
      }
      do throws(CaptureError) {
        try scenario.write(options.rendering, to: names[1])
      } catch {
        throw Problem(text: error.message)
      }
    case .bench:
      guard names.count == 4, let links = Int(names[1]), let records = Int(names[2]), let meters = Int(names[3]),
        links > 0, records > 0, meters > 0
      else { throw Problem(text: usage) }
      options.benchmark.links = links
      options.benchmark.recordsPerLink = records
      options.benchmark.meters = meters
      try write(options.benchmark, to: names[0])
    case .single:
      guard names.count == 2, let records = Int(names[1]), records > 0 else { throw Problem(text: usage) }
      let shape = options.benchmark
      try write(.singleLink(records: records, times: shape.times, format: shape.format), to: names[0])
    }
  }

  private static func write(_ benchmark: BenchmarkCapture, to path: String) throws(Problem) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Problem(text: "make-scenario: cannot write \(path)") }
    defer { close(descriptor) }
    let frames = try benchmark.generate { octets throws(Problem) in
      var place = 0
      while place < octets.count {
        let count = unsafe octets.withUnsafeBytes { bytes in
          unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: place), octets.count - place)
        }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw Problem(text: "make-scenario: cannot write \(path)") }
        place += count
      }
    }
    print("\(frames) frames")
  }

  private static func complain(_ text: String) {
    let octets = Array((text + "\n").utf8)
    _ = unsafe octets.withUnsafeBytes { bytes in unsafe Glibc.write(2, bytes.baseAddress, bytes.count) }
  }
}
