/// Octets cut into pieces that each have a tag: `tag u8 · length u8 · octets`, the last one as long as what is left.
struct Chunks: Sequence, IteratorProtocol {
  private let octets: [UInt8]
  private var place = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  mutating func next() -> (tag: UInt8, octets: [UInt8])? {
    guard octets.count - place >= 2 else { return nil }
    let start = place + 2
    let end = Swift.min(octets.count, start + Int(octets[place + 1]))
    defer { place = end }
    return (octets[place], Array(octets[start..<end]))
  }

  /// One piece; octets beyond 255 are left off.
  static func chunk(_ tag: UInt8, _ octets: [UInt8]) -> [UInt8] {
    [tag, UInt8(clamping: octets.count)] + octets.prefix(255)
  }
}
