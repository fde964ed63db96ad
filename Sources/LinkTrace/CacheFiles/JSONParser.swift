/// Reads JSON strictly as RFC 8259 defines it, within bounds of depth and of values.
package struct JSONParser {
  private let octets: [UInt8]
  private var at = 0
  private var values = 0

  /// Deeper nesting than any report has.
  static let deepest = 32
  /// More values than a report of 65,535 attributes has.
  static let mostValues = 2_000_000

  private init(_ octets: [UInt8]) { self.octets = octets }

  /// The one value of a JSON text.
  package static func parse(_ octets: [UInt8]) throws(CacheFileError) -> JSONValue {
    var parser = JSONParser(octets)
    parser.skipBlanks()
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.at == octets.count else { throw parser.error("there is more text after the JSON value.") }
    return value
  }

  /// Line and column of an offset.
  package static func position(of offset: Int, in octets: [UInt8]) -> CacheFileError.Position {
    var line = 1
    var start = 0
    for index in 0..<min(offset, octets.count) where octets[index] == 0x0A {
      line += 1
      start = index + 1
    }
    return CacheFileError.Position(line: line, column: offset - start + 1)
  }

  private func error(_ reason: String, at offset: Int? = nil) -> CacheFileError {
    CacheFileError(
      reason,
      at: Self.position(of: offset ?? at, in: octets),
      hint: "Write the file again with racpscope gatt --format json."
    )
  }

  private var next: UInt8? { at < octets.count ? octets[at] : nil }

  private mutating func skipBlanks() {
    while let octet = next, octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D { at += 1 }
  }

  private mutating func value(depth: Int) throws(CacheFileError) -> JSONValue {
    guard depth < Self.deepest else { throw error("values are nested deeper than \(Self.deepest) levels.") }
    values += 1
    guard values <= Self.mostValues else { throw error("there are more than \(Self.mostValues) values.") }
    let start = at
    guard let octet = next else { throw error("the text ends where a value should be.") }
    let content: JSONValue.Content
    switch octet {
    case UInt8(ascii: "{"): content = try object(depth)
    case UInt8(ascii: "["): content = try array(depth)
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = try number()
    case UInt8(ascii: "t"): content = try word("true", .boolean(true))
    case UInt8(ascii: "f"): content = try word("false", .boolean(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    default: throw error("no JSON value begins like this.")
    }
    return JSONValue(content: content, offset: start)
  }

  private mutating func word(_ word: String, _ content: JSONValue.Content) throws(CacheFileError) -> JSONValue.Content {
    guard octets[at...].starts(with: word.utf8) else { throw error("expected \(word).") }
    at += word.utf8.count
    return content
  }

  private mutating func object(_ depth: Int) throws(CacheFileError) -> JSONValue.Content {
    at += 1
    var members: [(name: String, value: JSONValue)] = []
    skipBlanks()
    if next == UInt8(ascii: "}") {
      at += 1
      return .object(members)
    }
    while true {
      skipBlanks()
      let start = at
      guard next == UInt8(ascii: "\"") else { throw error("expected a name in quotation marks.") }
      let name = try string()
      guard !members.contains(where: { $0.name == name }) else {
        throw error("the name \"\(name)\" stands twice in one object.", at: start)
      }
      guard members.count < 256 else { throw error("an object has more than 256 names.", at: start) }
      skipBlanks()
      guard next == UInt8(ascii: ":") else { throw error("expected a colon.") }
      at += 1
      skipBlanks()
      members.append((name, try value(depth: depth + 1)))
      skipBlanks()
      if next == UInt8(ascii: "}") { break }
      guard next == UInt8(ascii: ",") else { throw error("expected a comma or a closing brace.") }
      at += 1
    }
    at += 1
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(CacheFileError) -> JSONValue.Content {
    at += 1
    var elements: [JSONValue] = []
    skipBlanks()
    if next == UInt8(ascii: "]") {
      at += 1
      return .array(elements)
    }
    while true {
      skipBlanks()
      elements.append(try value(depth: depth + 1))
      skipBlanks()
      if next == UInt8(ascii: "]") { break }
      guard next == UInt8(ascii: ",") else { throw error("expected a comma or a closing bracket.") }
      at += 1
    }
    at += 1
    return .array(elements)
  }

  private mutating func digits() throws(CacheFileError) -> Int {
    let start = at
    while let octet = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) { at += 1 }
    guard at > start else { throw error("expected a digit.") }
    return at - start
  }

  private mutating func number() throws(CacheFileError) -> JSONValue.Content {
    let start = at
    if next == UInt8(ascii: "-") { at += 1 }
    let leading = next
    let count = try digits()
    if leading == UInt8(ascii: "0") && count > 1 { throw error("a number begins with 0.", at: start) }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      at += 1
      isWhole = false
      _ = try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      isWhole = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      _ = try digits()
    }
    guard isWhole, let value = Int64(String(decoding: octets[start..<at], as: UTF8.self)) else { return .otherNumber }
    return .integer(value)
  }

  private mutating func string() throws(CacheFileError) -> String {
    let start = at
    at += 1
    var text: [UInt8] = []
    while let octet = next {
      switch octet {
      case UInt8(ascii: "\""):
        at += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error("a string is not UTF-8.", at: start)
        }
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try escape()).utf8)
      case 0x00..<0x20: throw error("a control character stands in a string.")
      default:
        text.append(octet)
        at += 1
      }
    }
    throw error("a string does not end.", at: start)
  }

  private mutating func escape() throws(CacheFileError) -> Unicode.Scalar {
    let start = at
    at += 1
    guard let letter = next else { throw error("the text ends inside a string.") }
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error("no such escape.", at: start)
    }
    var code = try codeUnit(start)
    if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\"), at + 1 < octets.count,
      octets[at + 1] == UInt8(ascii: "u")
    {
      at += 2
      let low = try codeUnit(start)
      guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair.", at: start) }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair.", at: start) }
    return scalar
  }

  private mutating func codeUnit(_ start: Int) throws(CacheFileError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let octet = next, let digit = Character(Unicode.Scalar(octet)).hexDigitValue else {
        throw error("expected four hexadecimal digits.", at: start)
      }
      code = code << 4 | UInt32(digit)
      at += 1
    }
    return code
  }
}
