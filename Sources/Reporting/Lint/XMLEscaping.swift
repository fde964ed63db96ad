extension OutputBuffer {
  /// Text of an element or of a quoted attribute (XML 1.0 2.2, 2.4); what XML cannot hold is U+FFFD.
  ///
  /// Of an attribute line feeds and tabs are references: as they are they would be read as blanks.
  mutating func append(xml text: String, isAttribute: Bool = true) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"": append("&quot;")
      case "\t", "\n":
        if isAttribute { append("&#\(scalar.value);") } else { append(octet: UInt8(scalar.value)) }
      case "\r": append("&#13;")
      default:
        let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        append(isAllowed ? String(scalar) : "\u{FFFD}")
      }
    }
  }
}
