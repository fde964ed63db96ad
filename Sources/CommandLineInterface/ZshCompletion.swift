extension CommandLineTool {
  /// A zsh completion function over `_arguments`.
  var zshCompletion: String {
    let function = "_\(shellIdentifier)"
    let descriptions = subcommands.map { ($0.name, $0.summary) } + [(Self.helpWord, "Show the help of a command")]
    let skipValue = valueTakingPattern.map { "\n      \($0)) (( index++ )) ;;" } ?? ""
    return """
      #compdef \(name)
      # zsh completion for \(name)

      \(function)_commands() {
        local -a commands=(
      \(descriptions.map { "    \(Self.zshQuoted("\($0):\($1)"))" }.joined(separator: "\n"))
        )
        _describe -t commands command commands
      }

      # The first word: a command, or what the default command takes.
      \(function)_first() {
        \(function)_commands
        \(zshFirstAction)
      }

      \(function)() {
        local command=\(defaultSubcommand)
        local -i index found=0 other=0
        for (( index = 2; index < CURRENT; index++ )); do
          case ${words[index]} in
            --) other=1; break ;;\(skipValue)
            -?*) ;;
            \(firstWords.joined(separator: "|"))) command=${words[index]} found=index; break ;;
            *) other=1; break ;;
          esac
        done
        if (( found )); then
          words[found]=()
          (( CURRENT-- ))
        elif (( ! other )); then
          command=first
        fi

        case $command in
      \(zshCases(function).joined(separator: "\n"))
        esac
      }

      if [[ $funcstack[1] == \(function) ]]; then
        \(function) "$@"
      else
        compdef \(function) \(name)
      fi

      """
  }

  private var zshFirstAction: String {
    switch subcommand(named: defaultSubcommand)?.positional?.kind {
    case .file: "_files"
    case .choice(let choices): "compadd -- \(choices.joined(separator: " "))"
    case .text, nil: "true"
    }
  }

  private func zshCases(_ function: String) -> [String] {
    var cases = subcommands.map { subcommand in
      zshCase(subcommand.name, acceptedOptions(of: subcommand), subcommand.positional.map(Self.zshPositional))
    }
    if let subcommand = subcommand(named: defaultSubcommand) {
      cases.append(zshCase("first", acceptedOptions(of: subcommand), "'*:command:\(function)_first'"))
    }
    cases.append(zshCase(Self.helpWord, [], "'1:command:(\(subcommands.map(\.name).joined(separator: " ")))'"))
    return cases
  }

  private func zshCase(_ name: String, _ options: [Option], _ positional: String?) -> String {
    let specifications = options.flatMap(Self.zshOption) + (positional.map { [$0] } ?? [])
    let lines = ["_arguments -s -S :"] + specifications.map { "  \($0)" }
    return "    \(name))\n" + lines.map { "      \($0)" }.joined(separator: " \\\n") + " ;;"
  }

  private static func zshPositional(_ positional: Positional) -> String {
    let action =
      switch positional.kind {
      case .file: "_files"
      case .choice(let choices): "(\(choices.joined(separator: " ")))"
      case .text: " "
      }
    return zshQuoted("*:\(zshEscaped(positional.placeholder)):\(action)")
  }

  private static func zshOption(_ option: Option) -> [String] {
    let others = option.repeated ? "*" : option.short.map { "(\($0) \(option.name))" } ?? ""
    let action =
      switch option.value {
      case .none: ""
      case .value(let placeholder): ":\(zshEscaped(placeholder)): "
      case .choice(let placeholder, let choices):
        ":\(zshEscaped(placeholder)):(\(choices.joined(separator: " ")))"
      case .file(let placeholder): ":\(zshEscaped(placeholder)):_files"
      }
    return option.spellings.map { spelling in
      // "+": the value may follow in the same word; "=": it may follow an equals sign.
      let joint = !option.takesValue ? "" : spelling.hasPrefix("--") ? "=" : "+"
      return zshQuoted("\(others)\(spelling)\(joint)[\(zshEscaped(option.summary))]\(action)")
    }
  }

  private static func zshEscaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\[]:".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  private static func zshQuoted(_ text: String) -> String {
    "'" + text.reduce(into: "") { $0 += $1 == "'" ? "'\\''" : String($1) } + "'"
  }
}
