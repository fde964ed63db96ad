import CaptureFiles
import CommandLineInterface
import Reporting

/// Says on stderr, in one line, what is wrong and what to do about it.
enum Complaint {
  static func write(_ message: String, hint: String) {
    var output = OutputBuffer(descriptor: 2)
    output.append("racpscope: " + TextEscaping.terminal(sentence(message, capitalised: false)))
    if !hint.isEmpty { output.append(" " + TextEscaping.terminal(sentence(hint, capitalised: true))) }
    output.newline()
    output.flush()
  }

  static func write(_ error: CaptureError) { write(error.message, hint: error.hint) }

  static func write(_ error: UsageError) { write(error.message, hint: error.hint) }

  /// Usage errors are phrases without a full stop.
  private static func sentence(_ phrase: String, capitalised: Bool) -> String {
    let isClosed = phrase.last.map { ".?!".contains($0) } ?? true
    let start = capitalised ? phrase.prefix(1).uppercased() : String(phrase.prefix(1))
    return start + phrase.dropFirst() + (isClosed ? "" : ".")
  }
}
