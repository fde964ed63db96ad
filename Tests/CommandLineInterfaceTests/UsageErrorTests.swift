import CommandLineInterface
import Testing

@Suite struct UsageErrorTests {
  struct Case: Sendable {
    let line: String
    let error: UsageError
    init(_ line: String, _ message: String, _ hint: String) {
      self.line = line
      error = UsageError(message, hint: hint)
    }
  }

  @Test(arguments: [
    Case("recrods a", "unknown command 'recrods'", "did you mean 'records'?"),
    Case("shwo", "unknown command 'shwo'", "did you mean 'show'?"),
    Case("recrods --limit 5", "unknown command 'recrods'", "did you mean 'records'?"),
    Case("hlep", "unknown command 'hlep'", "did you mean 'help'?"),
    Case("help recrods", "unknown command 'recrods'", "did you mean 'records'?"),
    Case("help nothing", "unknown command 'nothing'", "see 'racpscope --help'"),
    Case(
      "help records show",
      "'help' takes one command, and 'show' is one too many",
      "try 'racpscope help records'"
    ),
    Case("records --fromat json a", "unknown option '--fromat'", "did you mean '--format'?"),
    Case("records --colour never a", "unknown option '--colour'", "did you mean '--color'?"),
    Case("records --nonsense a", "unknown option '--nonsense'", "see 'racpscope records --help'"),
    Case("records -x a", "unknown option '-x'", "see 'racpscope records --help'"),
    Case("records -qx a", "unknown option '-x'", "see 'racpscope records --help'"),
    Case("records -5 a", "unknown option '-5'", "see 'racpscope records --help'"),
    Case("--format json a", "'show' has no option '--format'", "'--format json' belongs to 'records'"),
    Case("-f=c a", "'show' has no option '-f'", "it belongs to 'records'"),
    Case("--format yaml a", "'show' has no option '--format'", "it belongs to 'records'"),
    Case("records a --limit", "option '--limit' needs a value", "write '--limit COUNT'"),
    Case("records --limit -q a", "option '--limit' needs a value", "write '--limit COUNT'"),
    Case("records --limit -- a", "option '--limit' needs a value", "write '--limit COUNT'"),
    Case("records a -f", "option '-f' needs a value", "use one of text, json, csv"),
    Case(
      "records -f jsno a",
      "'jsno' is not a value of '--format'",
      "did you mean 'json'? It is one of text, json, csv"
    ),
    Case("records -f= a", "'=' is not a value of '--format'", "use one of text, json, csv"),
    Case("records --format=xml-like a", "'xml-like' is not a value of '--format'", "use one of text, json, csv"),
    Case("records --quiet=yes a", "option '--quiet' takes no value", "write '--quiet' alone"),
    Case("records --version=2 a", "option '--version' takes no value", "write '--version' alone"),
    Case("records -n 1 --limit 2 a", "option '--limit' is given twice", "keep one of the two"),
    Case(
      "records",
      "'records' needs at least 1 FILE, and none is given",
      "usage: racpscope records [OPTIONS] FILE..."
    ),
    Case("-v", "'show' needs at least 1 FILE, and none is given", "usage: racpscope [show] [OPTIONS] FILE..."),
    Case("compare a", "'compare' needs 2 FILE, and 1 is given", "usage: racpscope compare [OPTIONS] FILE FILE"),
    Case(
      "compare a b c",
      "'compare' takes at most 2 FILE, and 'c' is one too many",
      "usage: racpscope compare [OPTIONS] FILE FILE"
    ),
    Case("rules a", "'rules' takes no arguments, and 'a' is given", "usage: racpscope rules [OPTIONS]"),
    Case("explain GLS003", "'GLS003' is not a RULE", "did you mean 'GLS001'? It is one of GLS001, GLS002"),
  ])
  func messageAndHint(_ expected: Case) {
    #expect(throws: expected.error) { try parse(expected.line) }
  }

  @Test func aVeryLongWordIsNoNearMiss() {
    let word = String(repeating: "records", count: 10_000)
    #expect(throws: UsageError("unknown option '--\(word)'", hint: "see 'racpscope records --help'")) {
      try parse("records --\(word) a")
    }
  }
}
