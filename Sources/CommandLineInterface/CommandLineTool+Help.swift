extension CommandLineTool {
  /// The help of a subcommand, or of the whole tool when the name is nil or unknown.
  ///
  /// Summary, examples, usage, then arguments and options in two columns, wrapped at 100 characters.
  public func help(for subcommandName: String?) -> String {
    guard let subcommandName, let subcommand = subcommand(named: subcommandName) else { return toolHelp }
    var layout = TextLayout()
    layout.paragraph("\(name) \(subcommand.name): \(subcommand.summary)")
    layout.section("Examples", rows: Self.rows(subcommand.examples), widestLabel: Self.widestExample)
    layout.section("Usage", lines: [usageLine(of: subcommand)])
    if let positional = subcommand.positional {
      let meaning = positional.summary + Self.notes([positional.choices.map(Self.list)])
      layout.section("Arguments", rows: [(positional.placeholder, meaning)])
    }
    layout.section("Options", rows: Self.rows(subcommand.options))
    layout.section("Global options", rows: Self.rows(options + [.help]))
    for paragraph in subcommand.details { layout.paragraph(paragraph) }
    return layout.text
  }

  private var toolHelp: String {
    var layout = TextLayout()
    layout.paragraph("\(name) \(version): \(summary)")
    layout.section("Examples", rows: Self.rows(examples), widestLabel: Self.widestExample)
    let usage = subcommand(named: defaultSubcommand).map { [usageLine(of: $0)] } ?? []
    layout.section("Usage", lines: usage + ["\(name) COMMAND [OPTIONS] ..."])
    let commands = subcommands.map { command in
      (command.name, command.summary + Self.notes([command.name == defaultSubcommand ? "the default" : nil]))
    }
    layout.section("Commands", rows: commands + [(Self.helpWord, "Show the help of a command")])
    layout.section("Global options", rows: Self.rows(sharedOptions))
    for paragraph in details { layout.paragraph(paragraph) }
    layout.paragraph("See '\(name) \(Self.helpWord) COMMAND' for the options of a command.")
    return layout.text
  }

  func usageLine(of subcommand: Subcommand) -> String {
    let word = subcommand.name == defaultSubcommand ? "[\(subcommand.name)]" : subcommand.name
    return [name, word, "[OPTIONS]", subcommand.positional?.usage].compactMap(\.self).joined(separator: " ")
  }

  /// Examples are whole command lines and get more room than option names.
  private static let widestExample = 56

  private static func rows(_ examples: [Example]) -> [(label: String, meaning: String)] {
    examples.map { ($0.command, $0.effect) }
  }

  private static func rows(_ options: [Option]) -> [(label: String, meaning: String)] {
    options.map { option in
      let spelling = (option.short.map { "\($0), " } ?? "    ") + option.name
      let label = option.placeholder.map { "\(spelling) \($0)" } ?? spelling
      let meaning =
        option.summary
        + notes([
          option.choices.map(list),
          option.defaultValue.map { "default: \($0)" },
          option.repeated ? "may be repeated" : nil,
        ])
      return (label, meaning)
    }
  }

  private static func list(_ choices: [String]) -> String {
    "one of: \(choices.joined(separator: ", "))"
  }

  private static func notes(_ notes: [String?]) -> String {
    let notes = notes.compactMap(\.self)
    return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
  }
}
