/// Octets that are in memory already.
final class MemorySource: ByteSource {
  private let octets: [UInt8]
  private var position = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  override var isSeekable: Bool { true }

  override var size: Int? { octets.count }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, octets.count - position)
    guard count > 0 else { return 0 }
    unsafe octets.withUnsafeBytes { bytes in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
      unsafe buffer.copyMemory(from: part)
    }
    position += count
    return count
  }

  override func seek(to offset: Int) -> Bool {
    guard offset >= 0, offset <= octets.count else { return false }
    position = offset
    return true
  }
}
