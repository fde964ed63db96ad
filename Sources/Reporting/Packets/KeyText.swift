/// Finds keys in what a program logged: hexadecimal of sixteen octets or more, in one run or octet by octet.
enum KeyText {
  private static let leastOctets = 16

  /// The text with `x` for every digit of such a run; as long as before.
  static func masked(_ text: [UInt8]) -> [UInt8] {
    var octets = text
    /// The digits of the chain so far: runs of whole octets with nothing but separators between them.
    var chain: [Range<Int>] = []
    var count = 0
    var chainEnd = 0
    func settle() {
      guard count >= leastOctets else { return }
      for run in chain { for place in run { octets[place] = 0x78 } }
    }
    var place = 0
    while place < text.count {
      guard isDigit(text[place]) else {
        place += 1
        continue
      }
      let start = place
      while place < text.count && isDigit(text[place]) { place += 1 }
      // The zero of `0x`.
      if place - start == 1, text[start] == 0x30, place < text.count, text[place] | 0x20 == 0x78 { continue }
      let isPrefixed = start >= 2 && text[start - 1] | 0x20 == 0x78 && text[start - 2] == 0x30
      let digits = place - start
      let follows = !chain.isEmpty && isGap(text[chainEnd..<(isPrefixed ? start - 2 : start)])
      let isWhole = isPrefixed || digits % 2 == 0 || digits >= 2 * leastOctets
      if !follows || !isWhole {
        settle()
        chain = []
        count = 0
      }
      guard isWhole else { continue }
      chain.append(start..<place)
      count += (digits + 1) / 2
      chainEnd = place
    }
    settle()
    return octets
  }

  private static func isDigit(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  /// A few blanks and marks as they stand between octets.
  private static func isGap(_ gap: ArraySlice<UInt8>) -> Bool {
    gap.count <= 4 && gap.allSatisfy { Array(" \t\r\n:,;.-_|{}[]()".utf8).contains($0) }
  }
}
