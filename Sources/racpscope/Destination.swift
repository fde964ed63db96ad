import CaptureFiles
import CommandLineInterface
import Glibc
import Reporting

/// Where results go: stdout, which `--output -` names as well, or the file of `--output`, which takes its place only
/// once it is whole.
struct Destination {
  private let file: ReplacedFile?

  static let standardOutput = Destination()

  private init() { file = nil }

  /// Opens the file at `path`, which must be none of `inputs`.
  init(_ path: String?, inputs: [String]) throws(UsageError) {
    guard let path, path != "-" else {
      file = nil
      return
    }
    if let input = inputs.first(where: { SameFile.isSame($0, path) }) {
      throw UsageError("the output would overwrite the input \(input)", hint: "name another file with --output")
    }
    do throws(CaptureError) {
      file = try ReplacedFile(path: path)
    } catch {
      throw UsageError(error.message, hint: "name another file with --output")
    }
  }

  var descriptor: Int32 { file?.descriptor ?? 1 }

  /// Ends the output and says on stderr where what was written did not all arrive.
  ///
  /// - Parameter isKept: false where nothing could be read: then the file stays what it was.
  func end(_ output: OutputBuffer, isKept: Bool = true) -> ExitStatus {
    var output = output
    output.flush()
    if let reason = Self.reason(output.failure) {
      file?.discard()
      let hint = file?.isDraft == true ? "the file stays as it was" : ""
      Complaint.write("the output is incomplete: \(reason)", hint: hint)
      return .usage
    }
    guard let file else { return .done }
    guard isKept, output.isOpen else {
      file.discard()
      return .done
    }
    do throws(CaptureError) {
      try file.commit()
      return .done
    } catch {
      Complaint.write(error)
      return .usage
    }
  }

  /// Nil where all is well, or where the reader of the output has seen enough.
  private static func reason(_ failure: OutputBuffer.Failure?) -> String? {
    failure == .system(EBADF) ? "standard output is closed" : failure?.text
  }
}
