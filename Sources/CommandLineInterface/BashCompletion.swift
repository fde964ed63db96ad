extension CommandLineTool {
  /// A bash function that needs nothing but bash 4.
  var bashCompletion: String {
    let skipValue =
      valueTakingPattern.map { pattern in
        """

              \(pattern))
                (( index++ ))
                [[ ${COMP_WORDS[index]} == = ]] && (( index++ )) ;;
        """
      } ?? ""
    return """
      # bash completion for \(name)
      _\(shellIdentifier)() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command=\(defaultSubcommand) named= ended= options= words= files= index
        COMPREPLY=()

        # bash splits --name=value at the equals sign.
        if [[ $word == = ]]; then
          word=
        elif [[ $previous == = ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi

        for (( index = 1; index < COMP_CWORD; index++ )); do
          case ${COMP_WORDS[index]} in
            --) ended=1 named=1; break ;;\(skipValue)
            -*|=) ;;
            \(firstWords.joined(separator: "|"))) command=${COMP_WORDS[index]} named=1; break ;;
            *) named=1; break ;;
          esac
        done
        for (( ; index < COMP_CWORD; index++ )); do
          [[ ${COMP_WORDS[index]} == -- ]] && ended=1
        done

        if [[ -z $ended ]]; then
          case "$command $previous" in
      \(bashValueCases)
          esac
        fi

        case $command in
      \(bashCommandCases)
        esac
        [[ -z $named ]] && words="\(firstWords.joined(separator: " ")) $words"

        if [[ -z $ended && $word == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
          return
        fi
        mapfile -t COMPREPLY < <(
          compgen -W "$words" -- "$word"
          [[ -n $files ]] && compgen -f -- "$word"
        )
        [[ -n $files ]] && compopt -o filenames 2>/dev/null
        return 0
      }
      complete -F _\(shellIdentifier) \(name)

      """
  }

  private var bashValueCases: String {
    let own = subcommands.flatMap { subcommand in
      subcommand.options.filter(\.takesValue).map { bashValueCase($0, prefix: "'\(subcommand.name) ") }
    }
    let shared = sharedOptions.filter(\.takesValue).map { bashValueCase($0, prefix: "*' ") }
    return (own + shared).joined(separator: "\n")
  }

  private func bashValueCase(_ option: Option, prefix: String) -> String {
    let pattern = option.spellings.map { "\(prefix)\($0)'" }.joined(separator: "|")
    let action =
      switch option.value {
      case .choice(_, let choices):
        "mapfile -t COMPREPLY < <(compgen -W '\(choices.joined(separator: " "))' -- \"$word\"); return"
      case .file:
        "mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); compopt -o filenames 2>/dev/null; return"
      case .none, .value: "return"
      }
    return "      \(pattern)) \(action) ;;"
  }

  private var bashCommandCases: String {
    let cases = subcommands.map { subcommand in
      let spellings = acceptedOptions(of: subcommand).flatMap(\.spellings).joined(separator: " ")
      let positional =
        switch subcommand.positional?.kind {
        case .file: " files=1"
        case .choice(let choices): " words='\(choices.joined(separator: " "))'"
        case .text, nil: ""
        }
      return "    \(subcommand.name)) options='\(spellings)'\(positional) ;;"
    }
    let helpCase = "    \(Self.helpWord)) words='\(subcommands.map(\.name).joined(separator: " "))' ;;"
    return (cases + [helpCase]).joined(separator: "\n")
  }
}
