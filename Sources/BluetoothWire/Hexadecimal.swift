/// `value` in upper-case hexadecimal, at least `digits` long, padded with zeros.
public func hex(_ value: UInt64, digits: Int) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

/// Octets in lower-case hexadecimal without separators: `06000101`.
public func hex(_ octets: some Sequence<UInt8>) -> String {
  var text = ""
  for octet in octets {
    if octet < 16 { text.append("0") }
    text += String(octet, radix: 16)
  }
  return text
}

/// Octets from hexadecimal text, blanks and colons ignored; nil where a digit is wrong or one is left over.
public func octets(hex text: String) -> [UInt8]? {
  var result: [UInt8] = []
  var high: UInt8?
  for character in text where character != " " && character != ":" {
    guard let digit = character.hexDigitValue.map(UInt8.init) else { return nil }
    if let first = high {
      result.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return high == nil ? result : nil
}
