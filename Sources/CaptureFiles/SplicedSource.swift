/// Parts of a source, and octets between them.
final class SplicedSource: ByteSource {
  /// What comes next.
  enum Part {
    case octets([UInt8])
    case range(Range<Int>)
  }

  private let source: ByteSource
  private var parts: ArraySlice<Part>
  /// How far the first part is read.
  private var place = 0

  /// - Parameter failure: why what comes out is not everything.
  init(_ source: ByteSource, _ parts: [Part], failure: String) {
    self.source = source
    self.parts = parts[...]
    super.init()
    self.failure = failure
  }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while let part = parts.first {
      let count =
        switch part {
        case .octets(let octets): unsafe copy(octets, into: buffer)
        case .range(let range): unsafe read(range, into: buffer)
        }
      if count > 0 {
        place += count
        return count
      }
      parts.removeFirst()
      place = 0
    }
    return 0
  }

  private func copy(_ octets: [UInt8], into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let rest = octets[place...].prefix(buffer.count)
    unsafe buffer.copyBytes(from: rest)
    return rest.count
  }

  private func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let left = range.count - place
    guard left > 0, place > 0 || source.seek(to: range.lowerBound) else { return 0 }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)])
    return unsafe source.read(into: room)
  }
}
