/// A command line that matches the declaration of its subcommand.
///
/// Options are looked up by their long name. A name that no subcommand declares is a mistake in the program;
/// debug builds stop on it.
public struct ParsedArguments: Sendable, Equatable {
  /// The name of the subcommand, also when it was left out on the command line.
  public let subcommand: String
  /// The words that are not options, in order; `-` is kept and means standard input.
  public let positionals: [String]
  /// The values given, by long name, in order; a flag has an empty list.
  private let given: [String: [String]]
  private let defaults: [String: String]
  private let declaredNames: Set<String>

  init(
    subcommand: String,
    positionals: [String],
    given: [String: [String]],
    defaults: [String: String],
    declaredNames: Set<String>
  ) {
    self.subcommand = subcommand
    self.positionals = positionals
    self.given = given
    self.defaults = defaults
    self.declaredNames = declaredNames
  }

  /// Whether the option was given on the command line, be it a flag or an option with a value.
  public func flag(_ name: String) -> Bool {
    checkDeclared(name)
    return given[name] != nil
  }

  /// The last value given, else the declared default, else nil.
  public func value(_ name: String) -> String? {
    checkDeclared(name)
    return given[name]?.last ?? defaults[name]
  }

  /// Every value given, in order; else the declared default alone; else nothing.
  public func values(_ name: String) -> [String] {
    checkDeclared(name)
    return given[name] ?? defaults[name].map { [$0] } ?? []
  }

  /// The value of an option as a whole number; nil when there is none.
  public func number(_ name: String) throws(UsageError) -> UInt32? {
    guard let text = value(name) else { return nil }
    guard let number = parseNumber(text) else {
      throw UsageError(
        "'\(text)' is not a value of '\(name)'",
        hint: "write a whole number from 0 to \(UInt32.max)"
      )
    }
    return number
  }

  /// The value of an option as a range (`10-200`, `10-`, `-200`, `10`); nil when there is none.
  public func range(_ name: String) throws(UsageError) -> ClosedRange<UInt32>? {
    guard let text = value(name) else { return nil }
    do {
      return try parseRange(text)
    } catch {
      throw UsageError("\(error.message) for '\(name)'", hint: error.hint)
    }
  }

  private func checkDeclared(_ name: String) {
    assert(declaredNames.contains(name), "no subcommand declares the option \(name)")
  }
}
