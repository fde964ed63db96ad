/// A whole number in plain decimal digits; nil for a sign, an empty text or a number above `UInt32.max`.
public func parseNumber(_ text: some StringProtocol) -> UInt32? {
  // The initialiser of UInt32 alone would accept a leading plus sign.
  guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
  return UInt32(text)
}

/// A range of whole numbers with both ends included.
///
/// `10-200` is both ends, `10-` is 10 and above, `-200` is 0 to 200, and `10` is 10 alone.
public func parseRange(_ text: String) throws(UsageError) -> ClosedRange<UInt32> {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  let ends: (lower: UInt32, upper: UInt32)?
  switch parts.count {
  case 1: ends = parseNumber(parts[0]).map { ($0, $0) }
  case 2 where text == "-": ends = nil
  case 2:
    let lower = parts[0].isEmpty ? 0 : parseNumber(parts[0])
    let upper = parts[1].isEmpty ? UInt32.max : parseNumber(parts[1])
    if let lower, let upper { ends = (lower, upper) } else { ends = nil }
  default: ends = nil
  }
  guard let (lower, upper) = ends else {
    throw UsageError("'\(text)' is not a range", hint: "write a range as 10-200, 10-, -200 or 10")
  }
  guard lower <= upper else {
    throw UsageError("the range '\(text)' ends before it begins", hint: "write it as \(upper)-\(lower)")
  }
  return lower...upper
}
