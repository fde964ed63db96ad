/// How many columns of a terminal text takes.
public enum TextColumns {
  /// Columns of text without control characters: 2 for East Asian wide scalars, 0 for combining marks.
  public static func count(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  /// The longest start of `text` that takes at most `limit` columns, with `…` in place of what was cut.
  public static func cut(_ text: String, to limit: Int) -> String {
    guard count(text) > limit else { return text }
    var taken = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      used += columns(scalar)
      if used > limit - 1 { break }
      taken.append(scalar)
    }
    return String(taken) + "…"
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x300: 1
    case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x64B...0x65F, 0x1AB0...0x1AFF, 0x20D0...0x20FF,
      0xFE00...0xFE0F, 0xFE20...0xFE2F:
      0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

extension OutputBuffer {
  /// Text and blanks up to `width` columns; longer text is cut.
  public mutating func append(_ text: String, columns width: Int, alignment: ColumnAlignment = .left) {
    let shown = TextColumns.cut(text, to: width)
    let blanks = width - TextColumns.count(shown)
    if alignment == .right { append(repeating: 0x20, count: blanks) }
    append(shown)
    if alignment == .left { append(repeating: 0x20, count: blanks) }
  }
}

/// Where text stands in its column.
public enum ColumnAlignment: Sendable { case left, right }
