import CommandLineInterface
import Glibc
import Reporting

/// Where results go: stdout, or the file of `--output`.
struct Destination {
  let descriptor: Int32
  private let path: String?

  init(_ path: String?) throws(UsageError) {
    self.path = path
    guard let path else {
      descriptor = 1
      return
    }
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    if descriptor < 0 {
      let reason = unsafe String(cString: strerror(errno))
      throw UsageError("\(path) cannot be written: \(reason)", hint: "name another file with --output")
    }
  }

  /// Closes the file; false, with a word on stderr, where what was written did not all arrive.
  func close(_ output: OutputBuffer) -> Bool {
    if path != nil { _ = Glibc.close(descriptor) }
    guard let reason = output.failure?.text else { return true }
    Complaint.write("the output is incomplete: \(reason)", hint: "")
    return false
  }
}
