/// A shell whose completion script can be made from a declaration.
public enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
}

extension CommandLineTool {
  /// The completion script of a shell: subcommands, their options, the values of options, and file names.
  ///
  /// bash: to be sourced, or installed as `bash-completion/completions/NAME`. zsh: to be installed as `_NAME` in a
  /// folder of `fpath`.
  public func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion
    case .zsh: zshCompletion
    }
  }

  /// A name usable inside a shell function name.
  var shellIdentifier: String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// `-f|--format|...`: every spelling that takes a value, as a shell pattern; nil when none does.
  var valueTakingPattern: String? {
    var seen: Set<String> = []
    let spellings = everyOption.filter(\.takesValue).flatMap(\.spellings).filter { seen.insert($0).inserted }
    return spellings.isEmpty ? nil : spellings.joined(separator: "|")
  }

  var firstWords: [String] { subcommands.map(\.name) + [Self.helpWord] }
}
