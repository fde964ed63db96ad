import Foundation

/// What the pages say of the JSON of one schema.
struct DocumentedMembers {
  /// The pages that describe JSON.
  static let pages = ["json", "store", "compare"]

  /// Every word in backticks in the sections about it.
  private(set) var words: Set<String> = []
  /// Those that stand as members: in the first column of a table of members, or in a list of members.
  private(set) var members: Set<String> = []
  /// True where a section about it was found.
  private(set) var isDescribed = false

  /// - Parameter schema: `racpscope/sync/1`, whose sections also describe what its documents hold of `others`.
  init(_ schema: String, with others: [String] = []) throws {
    for page in Self.pages {
      let url = CommandRun.root.appendingPathComponent("docs/\(page).md")
      let text = try String(contentsOf: url, encoding: .utf8)
      for section in text.components(separatedBy: "\n## ").dropFirst() {
        let isOwn = section.contains("`\(schema)`") || section.contains("\"\(schema)\"")
        guard isOwn || others.contains(where: { section.contains("`\($0)`") }) else { continue }
        words.formUnion(Self.words(section))
        guard isOwn else { continue }
        isDescribed = true
        read(section)
      }
    }
  }

  private mutating func read(_ section: String) {
    for paragraph in section.components(separatedBy: "\n\n") {
      let lines = paragraph.split(separator: "\n").map(String.init)
      guard let head = lines.first else { continue }
      if head.hasPrefix("| member |") || head.hasPrefix("| field |") {
        for line in lines.dropFirst(2) {
          members.formUnion(Self.words(line.dropFirst().prefix { $0 != "|" }))
        }
      } else {
        // "Each of `pdus`: `opcode` (a number), `name`. Each of …"
        let parts = lines.joined(separator: " ").components(separatedBy: "Each of ").dropFirst()
        let list = parts + (head.hasPrefix("Members of ") ? [lines.joined(separator: " ")] : [])
        for part in list where part.contains(": `") { members.formUnion(Self.words(Self.withoutBrackets(part))) }
      }
    }
  }

  /// Words in backticks that can be names of members; `"schema": "…"` is one as well.
  private static func words(_ text: some StringProtocol) -> Set<String> {
    var words: Set<String> = []
    for (index, whole) in text.components(separatedBy: "`").enumerated() where index % 2 == 1 {
      let part = whole.hasPrefix("\"") ? String(whole.dropFirst().prefix { $0 != "\"" }) : whole
      let isName = part.first?.isLowercase == true && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      if isName { words.insert(part) }
    }
    return words
  }

  /// What stands in brackets are values and remarks.
  private static func withoutBrackets(_ text: String) -> String {
    var depth = 0
    return String(
      text.filter { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth == 0 && character != ")"
      }
    )
  }
}
