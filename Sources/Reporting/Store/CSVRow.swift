import HealthProfiles

/// One row on its way out, field by field.
struct CSVRow {
  private var output = OutputBuffer()
  private var isFirst = true

  mutating func text(_ text: String?) {
    separate()
    if let text { output.append(csv: text) }
  }

  mutating func number(_ number: (some BinaryInteger)?) {
    separate()
    if let number { output.append(decimal: number) }
  }

  /// A number in decimal digits, or the name of what stands in its place.
  mutating func number(_ float: MedicalFloat16?, scale: Int) {
    let text = float?.decimalText(scaledBy10ToThe: scale)
    if float?.special == nil { verbatim(text) } else { self.text(text) }
  }

  mutating func flag(_ flag: Bool) { verbatim(flag ? "true" : "false") }

  /// Digits, which may begin with a minus and must not be quoted.
  mutating func verbatim(_ digits: String?) {
    separate()
    if let digits { output.append(digits) }
  }

  mutating func blank(_ count: Int) {
    for _ in 0..<count { separate() }
  }

  /// The row with its line feed.
  mutating func end() -> [UInt8] {
    output.newline()
    return output.octets
  }

  private mutating func separate() {
    if !isFirst { output.append(octet: 0x2C) }
    isFirst = false
  }
}
