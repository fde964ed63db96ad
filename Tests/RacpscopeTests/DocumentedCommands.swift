import Foundation

/// The calls of the program that a page shows, in blocks of commands and within sentences, as a shell would split them.
struct DocumentedCommands {
  private(set) var calls: [Call] = []

  struct Call {
    /// The words behind `racpscope`, and the line they stand in.
    var words: [String]
    var line: String
    /// True within a sentence, which need not name the files.
    var isMention: Bool
  }

  init(_ page: String) {
    var isBlock = false
    var prose = ""
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
        isBlock.toggle()
      } else if isBlock {
        read(command: line, isMention: false)
      } else {
        prose += line + "\n"
      }
    }
    for (index, part) in prose.components(separatedBy: "`").enumerated() where index % 2 == 1 {
      guard part.contains("racpscope ") else { continue }
      read(command: part.split(separator: "\n").joined(separator: " "), isMention: true)
    }
  }

  /// A line may call the program behind a prompt, behind `sudo`, as a step of a CI system, in a pipe, or within `>(…)`.
  private mutating func read(command line: String, isMention: Bool) {
    var words = Self.words(line)[...]
    while let first = words.first, ["$", "sudo", "-", "run:", "|"].contains(first) { words = words.dropFirst() }
    var call: [String]? = words.first == "racpscope" ? [] : nil
    for word in words.dropFirst(call == nil ? 0 : 1) + ["|"] {
      if word == "|" {
        if let call { calls.append(Call(words: call, line: line, isMention: isMention)) }
        call = nil
      } else if word == "racpscope" || word.hasSuffix("(racpscope") {
        call = []
      } else if word.hasSuffix(")"), call != nil {
        call?.append(String(word.dropLast()))
        if let call { calls.append(Call(words: call, line: line, isMention: isMention)) }
        call = nil
      } else {
        call?.append(word)
      }
    }
  }

  /// Words without quotes, comments and redirections.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var isWord = false
    func isRedirection(_ word: String) -> Bool {
      let rest = word.drop { $0.isNumber }
      return rest.hasPrefix(">") && !rest.hasPrefix(">(") || rest.hasPrefix("<")
    }
    for character in line + " " {
      if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        isWord = true
      } else if character == " " {
        if isWord { words.append(word) }
        word = ""
        isWord = false
      } else if character == "#", !isWord {
        break
      } else {
        word.append(character)
        isWord = true
      }
    }
    var kept: [String] = []
    var skipsNext = false
    for word in words {
      if skipsNext {
        skipsNext = false
      } else if isRedirection(word) {
        skipsNext = word.last.map { $0 == ">" || $0 == "<" } ?? false
      } else {
        kept.append(word)
      }
    }
    return kept
  }
}
