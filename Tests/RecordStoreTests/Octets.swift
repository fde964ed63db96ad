/// Looks for octets in octets.
enum Octets {
  static func contain(_ all: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, all.count >= part.count else { return false }
    for start in 0...(all.count - part.count) where all[start] == first {
      if all[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }
}
