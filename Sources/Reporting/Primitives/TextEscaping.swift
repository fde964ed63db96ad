/// Text that a device supplied, made safe for where it is shown.
public enum TextEscaping {
  /// True for scalars that steer a terminal or turn the reading order, or that cannot be seen.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F: true
    case 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
    case 0xE0000...0xE0FFF: true
    default: false
    }
  }

  /// Escaped for a terminal, as a string.
  public static func terminal(_ octets: [UInt8]) -> String {
    var output = OutputBuffer()
    output.append(escaped: octets)
    return output.text
  }

  /// Escaped for a terminal, as a string.
  public static func terminal(_ text: String) -> String { terminal(Array(text.utf8)) }

  /// Text with `\u{1b}` for what is hidden and nothing else changed: for data that a terminal may show as well.
  static func visible(_ octets: [UInt8]) -> [UInt8] {
    if octets.allSatisfy({ (0x20..<0x7F).contains($0) }) { return octets }
    var output = OutputBuffer()
    for scalar in String(decoding: octets, as: UTF8.self).unicodeScalars {
      output.append(
        isHidden(scalar) && scalar != "\n" && scalar != "\t"
          ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
      )
    }
    return output.octets
  }
}

extension OutputBuffer {
  /// Device text for a terminal: `\u{1b}` for what is hidden, `\x{ff}` for what is no UTF-8, `\\` for a backslash.
  public mutating func append(escaped octets: [UInt8]) { unsafe append(escapedOctetsOf: octets.span.bytes) }

  /// Device text for a terminal: `\u{1b}` for what is hidden, `\x{ff}` for what is no UTF-8, `\\` for a backslash.
  public mutating func append(escapedOctetsOf octets: RawSpan) {
    var place = 0
    while place < octets.byteCount {
      let start = place
      guard let scalar = ScalarReader.next(octets, &place) else {
        append("\\x{")
        append(hexOctetsOf: octets.extracting(start..<place))
        append("}")
        continue
      }
      if scalar == "\\" {
        append("\\\\")
      } else if TextEscaping.isHidden(scalar) {
        append("\\u{")
        append(String(scalar.value, radix: 16))
        append("}")
      } else {
        append(octetsOf: octets.extracting(start..<place))
      }
    }
  }

  /// One field of text in CSV (RFC 4180): quoted where it must be, and never the start of a spreadsheet's formula.
  ///
  /// Use it for text only: a negative number must stay a number.
  public mutating func append(csv octets: [UInt8]) {
    let text = TextEscaping.visible(octets)
    var isQuoted = false
    for octet in text where octet == 0x22 || octet == 0x2C || octet < 0x20 { isQuoted = true }
    let first = text.first ?? 0
    let isFormula = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D].contains(first)
    guard isQuoted || isFormula else { return appendRepaired(text) }
    append(octet: 0x22)
    if isFormula { append(octet: 0x27) }
    var run: [UInt8] = []
    for octet in text {
      if octet == 0x22 { run.append(0x22) }
      run.append(octet)
    }
    appendRepaired(run)
    append(octet: 0x22)
  }

  /// One field of text in CSV.
  public mutating func append(csv text: String) { append(csv: Array(text.utf8)) }

  /// Text with U+FFFD in place of what is no UTF-8.
  mutating func appendRepaired(_ octets: [UInt8]) {
    append(String(decoding: octets, as: UTF8.self))
  }
}
