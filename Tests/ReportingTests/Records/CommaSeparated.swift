/// Reads comma-separated values as RFC 4180 describes them.
enum CommaSeparated {
  static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", false): isQuoted = true
      case ("\"", true):
        if rest.first == "\"" {
          field.unicodeScalars.append("\"")
          rest.removeFirst()
        } else {
          isQuoted = false
        }
      case (",", false):
        row.append(field)
        field = ""
      case ("\n", false):
        rows.append(row + [field])
        row = []
        field = ""
      default: field.unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}
