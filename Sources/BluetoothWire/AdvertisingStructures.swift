/// Walks advertising data: `length u8 · type u8 · data` structures, up to the first that is empty or runs over the end
/// (Core Supplement Part A 1).
public struct AdvertisingStructures: Sendable {
  private var place = 0

  public init() {}

  /// The next structure: its type, and where its data stands in the advertising data; nil where none is left.
  @inline(__always)
  public mutating func next(in data: RawSpan) -> (type: UInt8, content: Range<Int>)? {
    guard place + 2 <= data.byteCount else { return nil }
    let end = place + 1 + Int(data.u8(at: place))
    guard end > place + 1, end <= data.byteCount else { return nil }
    defer { place = end }
    return (data.u8(at: place + 1), (place + 2)..<end)
  }
}
