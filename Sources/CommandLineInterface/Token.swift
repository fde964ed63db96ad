/// A piece of the command line, before it is known which subcommand it belongs to.
enum Token: Equatable {
  /// A spelling as typed, with the text after `=` or taken from what follows.
  case option(_ spelling: String, value: String?)
  /// A word before `--`.
  case word(String)
  /// A word after `--`, which never names a subcommand.
  case literal(String)
}

extension CommandLineTool {
  /// Cuts a command line into tokens.
  ///
  /// The subcommand may come after options, so this looks only at whether a spelling takes a value. `problems()`
  /// makes sure that a spelling means the same kind of option in every subcommand.
  func tokens(of arguments: [String]) -> [Token] {
    let options = everyOption
    let spellings = Set(options.flatMap(\.spellings))
    let takingValue = Set(options.filter(\.takesValue).flatMap(\.spellings))
    var tokens: [Token] = []
    var rest = arguments[...]

    // Only a spelling that is declared stops a value, so that "--frames -200" works.
    func following() -> String? {
      guard let next = rest.first, next != "--", !spellings.contains(next) else { return nil }
      return rest.popFirst()
    }

    while let argument = rest.popFirst() {
      if argument == "--" {
        tokens += rest.map(Token.literal)
        break
      } else if argument.hasPrefix("--") {
        if let equals = argument.firstIndex(of: "=") {
          let value = String(argument[argument.index(after: equals)...])
          tokens.append(.option(String(argument[..<equals]), value: value))
        } else {
          tokens.append(.option(argument, value: takingValue.contains(argument) ? following() : nil))
        }
      } else if argument.hasPrefix("-"), argument != "-" {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
          let spelling = "-\(letter)"
          guard takingValue.contains(spelling) else {
            tokens.append(.option(spelling, value: nil))
            continue
          }
          tokens.append(.option(spelling, value: letters.isEmpty ? following() : String(letters)))
          break
        }
      } else {
        tokens.append(.word(argument))
      }
    }
    return tokens
  }
}
