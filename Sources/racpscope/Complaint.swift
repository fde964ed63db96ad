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

  static func write(_ error: some ToldError) { write(error.opening, hint: error.hint) }

  /// A sentence that stands alone elsewhere, and begins in upper case there.
  static func write(sentence: String) { write(opening(sentence), hint: "") }

  /// A sentence in lower case, unless it begins with a name.
  static func opening(_ sentence: String) -> String {
    let isWord = sentence.dropFirst().first.map { $0 == " " || $0.isLowercase } ?? false
    let isName = sentence.hasPrefix("Bluetooth")
    return isWord && !isName ? sentence.prefix(1).lowercased() + sentence.dropFirst() : sentence
  }

  /// Usage errors are phrases without a full stop.
  private static func sentence(_ phrase: String, capitalised: Bool) -> String {
    let isClosed = phrase.last.map { ".?!".contains($0) } ?? true
    let start = capitalised ? phrase.prefix(1).uppercased() : String(phrase.prefix(1))
    return start + phrase.dropFirst() + (isClosed ? "" : ".")
  }
}
