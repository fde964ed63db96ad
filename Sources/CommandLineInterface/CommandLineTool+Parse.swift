extension CommandLineTool {
  /// Reads the words after the tool's name.
  ///
  /// A first word that is no subcommand belongs to the default subcommand. When it looks like a mistyped subcommand
  /// (at most two edits away, without `/` and `.`) and `isFile` does not know it, it is an error instead.
  /// `--help` wins over everything else on the line, then `--version`. A flag may be given again without effect;
  /// an option with a value only when it is declared as repeated.
  public func parse(_ arguments: [String], isFile: (String) -> Bool) throws(UsageError) -> Invocation {
    var tokens = tokens(of: arguments)
    let asksHelp = tokens.contains { isOption($0, .help) }
    let firstWord = tokens.firstIndex { if case .word = $0 { true } else { false } }
    var chosen = subcommand(named: defaultSubcommand)
    var isNamed = false

    if let firstWord, case .word(let word) = tokens[firstWord] {
      if word == Self.helpWord {
        tokens.remove(at: firstWord)
        return .help(try helpText(after: tokens))
      }
      if let named = subcommand(named: word) {
        tokens.remove(at: firstWord)
        chosen = named
        isNamed = true
      } else if !asksHelp {
        try refuseMistypedSubcommand(word, isFile: isFile)
      }
    }

    if asksHelp { return .help(help(for: isNamed ? chosen?.name : nil)) }
    if tokens.contains(where: { isOption($0, .version) }) { return .version("\(name) \(version)") }
    guard let chosen else {
      throw UsageError("no command is given", hint: "see '\(name) --help'")
    }
    if arguments.isEmpty, (chosen.positional?.minimum ?? 0) > 0 { return .help(help(for: nil)) }
    return .run(try match(tokens, with: chosen))
  }

  private func isOption(_ token: Token, _ option: Option) -> Bool {
    if case .option(let spelling, value: nil) = token { option.spellings.contains(spelling) } else { false }
  }

  private func helpText(after tokens: [Token]) throws(UsageError) -> String {
    let words = tokens.compactMap { if case .word(let word) = $0 { word } else { nil } }
    guard let word = words.first, word != Self.helpWord else { return help(for: nil) }
    guard words.count == 1 else {
      throw UsageError(
        "'\(Self.helpWord)' takes one command, and '\(words[1])' is one too many",
        hint: "try '\(name) \(Self.helpWord) \(word)'"
      )
    }
    guard subcommand(named: word) != nil else {
      throw UsageError("unknown command '\(word)'", hint: suggestion(for: word, in: subcommands.map(\.name), of: nil))
    }
    return help(for: word)
  }

  private func refuseMistypedSubcommand(_ word: String, isFile: (String) -> Bool) throws(UsageError) {
    guard !word.contains("/"), !word.contains(".") else { return }
    guard let near = nearMiss(of: word, in: subcommands.map(\.name) + [Self.helpWord]), !isFile(word) else { return }
    throw UsageError("unknown command '\(word)'", hint: "did you mean '\(near)'?")
  }

  private func match(_ tokens: [Token], with subcommand: Subcommand) throws(UsageError) -> ParsedArguments {
    let accepted = acceptedOptions(of: subcommand)
    var positionals: [String] = []
    var given: [String: [String]] = [:]
    for token in tokens {
      switch token {
      case .word(let word), .literal(let word):
        positionals.append(word)
      case .option(let spelling, let value):
        guard let option = accepted.first(where: { $0.spellings.contains(spelling) }) else {
          throw unknownOption(spelling, value, in: subcommand)
        }
        guard option.takesValue else {
          guard value == nil else {
            throw UsageError("option '\(spelling)' takes no value", hint: "write '\(spelling)' alone")
          }
          given[option.name] = []
          continue
        }
        let checked = try check(value, of: option, as: spelling, in: subcommand)
        guard option.repeated || given[option.name] == nil else {
          throw UsageError("option '\(option.name)' is given twice", hint: "keep one of the two")
        }
        given[option.name, default: []].append(checked)
      }
    }
    try check(positionals, of: subcommand)
    return ParsedArguments(
      subcommand: subcommand.name,
      positionals: positionals,
      given: given,
      defaults: accepted.reduce(into: [:]) { $0[$1.name] = $1.defaultValue },
      declaredNames: Set(everyOption.map(\.name))
    )
  }

  private func unknownOption(_ spelling: String, _ value: String?, in subcommand: Subcommand) -> UsageError {
    let owners = subcommands.filter { $0.options.contains { $0.spellings.contains(spelling) } }.map(\.name)
    if !owners.isEmpty {
      return UsageError(
        "'\(subcommand.name)' has no option '\(spelling)'",
        hint: value.flatMap { ownersOfChoice(spelling, $0) } ?? "it belongs to \(Self.list(owners))"
      )
    }
    let names = spelling.hasPrefix("--") ? acceptedOptions(of: subcommand).map(\.name) : []
    return UsageError("unknown option '\(spelling)'", hint: suggestion(for: spelling, in: names, of: subcommand))
  }

  /// Who takes the value, or one that begins with it (`jsonl` for `json`); nil where nobody does.
  private func ownersOfChoice(_ spelling: String, _ value: String) -> String? {
    var choices: [String] = []
    var owners: [String: [String]] = [:]
    for subcommand in subcommands {
      for option in subcommand.options where option.spellings.contains(spelling) {
        for choice in option.choices ?? [] where choice.hasPrefix(value) && !value.isEmpty {
          if owners[choice] == nil { choices.append(choice) }
          owners[choice, default: []].append(subcommand.name)
        }
      }
    }
    let groups = choices.sorted().map { "'\(spelling) \($0)' belongs to \(Self.list(owners[$0] ?? []))" }
    return groups.isEmpty ? nil : groups.joined(separator: "; ")
  }

  private static func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }

  private func suggestion(for word: String, in candidates: [String], of subcommand: Subcommand?) -> String {
    if let near = nearMiss(of: word, in: candidates) { return "did you mean '\(near)'?" }
    return "see '\(([name, subcommand?.name].compactMap(\.self) + ["--help"]).joined(separator: " "))'"
  }

  private func check(
    _ value: String?,
    of option: Option,
    as spelling: String,
    in subcommand: Subcommand
  ) throws(UsageError) -> String {
    guard let value else {
      let placeholder = option.placeholder ?? "VALUE"
      let hint =
        option.choices.map { "use one of \($0.joined(separator: ", "))" } ?? "write '\(spelling) \(placeholder)'"
      throw UsageError("option '\(spelling)' needs a value", hint: hint)
    }
    if let choices = option.choices, !choices.contains(value) {
      throw UsageError("'\(value)' is not a value of '\(option.name)'", hint: Self.hint(for: value, choices: choices))
    }
    return value
  }

  private func check(_ positionals: [String], of subcommand: Subcommand) throws(UsageError) {
    let usage = "usage: \(usageLine(of: subcommand))"
    guard let positional = subcommand.positional else {
      guard let word = positionals.first else { return }
      throw UsageError("'\(subcommand.name)' takes no arguments, and '\(word)' is given", hint: usage)
    }
    guard positionals.count >= positional.minimum else {
      let given = positionals.isEmpty ? "none is" : positionals.count == 1 ? "1 is" : "\(positionals.count) are"
      let wanted = (positional.maximum == positional.minimum ? "" : "at least ") + "\(positional.minimum)"
      throw UsageError(
        "'\(subcommand.name)' needs \(wanted) \(positional.placeholder), and \(given) given",
        hint: usage
      )
    }
    if let maximum = positional.maximum, positionals.count > maximum {
      throw UsageError(
        "'\(subcommand.name)' takes at most \(maximum) \(positional.placeholder), and '\(positionals[maximum])' is one too many",
        hint: usage
      )
    }
    if let choices = positional.choices, let word = positionals.first(where: { !choices.contains($0) }) {
      let article = "AEIOU".contains(positional.placeholder.prefix(1)) ? "an" : "a"
      throw UsageError(
        "'\(word)' is not \(article) \(positional.placeholder)",
        hint: Self.hint(for: word, choices: choices)
      )
    }
  }

  private static func hint(for word: String, choices: [String]) -> String {
    let all = choices.joined(separator: ", ")
    return nearMiss(of: word, in: choices).map { "did you mean '\($0)'? It is one of \(all)" } ?? "use one of \(all)"
  }
}
