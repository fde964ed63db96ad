import CaptureFiles
import Glibc
import Stages

/// Runs one stage over a capture and prints nothing: for valgrind and perf.
@main
enum RunStage {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let stage = Stage(rawValue: arguments[1]) else {
      print("usage: run-stage \(Stage.allCases.map(\.rawValue).joined(separator: "|")) FILE")
      exit(2)
    }
    do throws(CaptureError) {
      try stage.run(.path(arguments[2]))
    } catch {
      print(error.message)
      exit(1)
    }
  }
}
