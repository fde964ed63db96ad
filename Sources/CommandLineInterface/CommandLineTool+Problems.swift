extension CommandLineTool {
  /// What is wrong with the declaration itself, one sentence each; empty when it is sound.
  public func problems() -> [String] {
    var problems = wordProblems(name, what: "the tool name") + summaryProblems(summary, of: "'\(name)'")
    if version.isEmpty { problems.append("the version is empty") }
    problems += duplicates(subcommands.map(\.name)).map { "the subcommand '\($0)' is declared twice" }
    if subcommand(named: defaultSubcommand) == nil {
      problems.append("the default subcommand '\(defaultSubcommand)' is not declared")
    }
    for option in options { problems += optionProblems(option, of: name) }
    problems += examples.flatMap { exampleProblems($0, of: nil) }
    for subcommand in subcommands {
      let owner = "'\(subcommand.name)'"
      problems += wordProblems(subcommand.name, what: "the subcommand name")
      if subcommand.name == Self.helpWord { problems.append("the subcommand name 'help' is reserved") }
      problems += summaryProblems(subcommand.summary, of: owner)
      if let positional = subcommand.positional { problems += positionalProblems(positional, of: owner) }
      for option in subcommand.options { problems += optionProblems(option, of: subcommand.name) }
      problems += duplicates(acceptedOptions(of: subcommand).flatMap(\.spellings))
        .map { "the option '\($0)' of \(owner) is declared twice" }
      problems += subcommand.examples.flatMap { exampleProblems($0, of: subcommand) }
    }
    return problems + arityProblems()
  }

  /// Tokens are cut before the subcommand is known, so a spelling must take a value everywhere or nowhere.
  private func arityProblems() -> [String] {
    let takingValue = Set(everyOption.filter(\.takesValue).flatMap(\.spellings))
    let flags = Set(everyOption.filter { !$0.takesValue }.flatMap(\.spellings))
    return takingValue.intersection(flags).sorted()
      .map { "the option '\($0)' takes a value in one subcommand and none in another" }
  }

  private func optionProblems(_ option: Option, of owner: String) -> [String] {
    let what = "'\(option.name)' of '\(owner)'"
    var problems = summaryProblems(option.summary, of: what)
    let letters = option.name.dropFirst(2)
    if !option.name.hasPrefix("--") || letters.isEmpty || !letters.allSatisfy({ isWordCharacter($0) || $0 == "-" }) {
      problems.append("\(what) must be '--' and letters, digits or dashes")
    }
    if let short = option.short, short.count != 2 || !short.hasPrefix("-") || short.last?.isLetter != true {
      problems.append("the short form '\(short)' of \(what) must be '-' and one letter")
    }
    if option.placeholder?.isEmpty == true { problems.append("\(what) has an empty placeholder") }
    if let choices = option.choices { problems += choiceProblems(choices, of: what) }
    if let value = option.defaultValue {
      if !option.takesValue { problems.append("\(what) is a flag and cannot have a default") }
      if let choices = option.choices, !choices.contains(value) {
        problems.append("the default '\(value)' of \(what) is not one of its choices")
      }
    }
    if option.repeated, !option.takesValue { problems.append("\(what) is a flag and cannot be repeated") }
    return problems
  }

  private func positionalProblems(_ positional: Positional, of owner: String) -> [String] {
    let what = "'\(positional.placeholder)' of \(owner)"
    var problems = summaryProblems(positional.summary, of: what)
    if positional.placeholder.isEmpty { problems.append("the placeholder of \(owner) is empty") }
    if positional.minimum < 0 { problems.append("\(what) has a negative minimum") }
    if let maximum = positional.maximum, maximum < max(positional.minimum, 1) {
      problems.append("\(what) has a maximum below its minimum or below 1")
    }
    if let choices = positional.choices { problems += choiceProblems(choices, of: what) }
    return problems
  }

  private func choiceProblems(_ choices: [String], of what: String) -> [String] {
    if choices.isEmpty { return ["\(what) is a choice without values"] }
    return choices.flatMap { wordProblems($0, what: "the choice of \(what)") }
      + duplicates(choices).map { "\(what) offers '\($0)' twice" }
  }

  private func summaryProblems(_ summary: String, of what: String) -> [String] {
    if summary.isEmpty { return ["\(what) has an empty summary"] }
    return summary.hasSuffix(".") ? ["the summary of \(what) ends in a full stop"] : []
  }

  /// The words stand unquoted in completion scripts.
  private func wordProblems(_ word: String, what: String) -> [String] {
    let isSound = word.first.map(isWordCharacter) == true
    return isSound && word.allSatisfy { isWordCharacter($0) || "-_.+".contains($0) }
      ? [] : ["\(what) '\(word)' must be letters, digits and '-_.+', and start with a letter or digit"]
  }

  private func isWordCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  private func duplicates(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    var reported: Set<String> = []
    return words.filter { !seen.insert($0).inserted && reported.insert($0).inserted }
  }

  /// An example must run: its part that calls the tool parses, and reaches the subcommand it is listed under.
  private func exampleProblems(_ example: Example, of subcommand: Subcommand?) -> [String] {
    let summaryProblems = summaryProblems(example.effect, of: "the example '\(example.command)'")
    let calls = example.command.split(separator: "|")
      .map { $0.split(separator: " ").prefix { !$0.hasPrefix(">") && !$0.hasPrefix("2>") }.map(String.init) }
      .filter { $0.first == name }
    if calls.isEmpty { return summaryProblems + ["the example '\(example.command)' does not call '\(name)'"] }
    return summaryProblems
      + calls.compactMap { call in
        callProblem(Array(call.dropFirst()), reaches: subcommand).map { "the example '\(example.command)' \($0)" }
      }
  }

  private func callProblem(_ arguments: [String], reaches subcommand: Subcommand?) -> String? {
    do {
      let invocation = try parse(arguments) { _ in false }
      guard let subcommand else { return nil }
      if case .run(let arguments) = invocation, arguments.subcommand == subcommand.name { return nil }
      return "does not run '\(subcommand.name)'"
    } catch {
      return "does not parse: \(error.message)"
    }
  }
}
