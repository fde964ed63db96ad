import CaptureFiles
import CommandLineInterface
import Reporting

/// Says on stderr what is wrong, in one sentence and a hint.
enum Complaint {
  static func write(_ message: String, hint: String) {
    var output = OutputBuffer(descriptor: 2)
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    output.append("racpscope: \(TextEscaping.terminal(sentence))")
    output.newline()
    if !hint.isEmpty {
      output.append("  \(TextEscaping.terminal(hint))")
      output.newline()
    }
    output.flush()
  }

  static func write(_ error: CaptureError) { write(error.message, hint: error.hint) }

  static func write(_ error: UsageError) { write(error.message, hint: error.hint) }
}
