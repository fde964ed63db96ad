/// A stream that cannot be rewound, with the octets already taken from it put back before it.
final class PrefixedSource: ByteSource {
  private let prefix: MemorySource
  private let rest: ByteSource

  init(_ prefix: [UInt8], before rest: ByteSource) {
    self.prefix = MemorySource(prefix)
    self.rest = rest
  }

  override var isUnpacked: Bool { rest.isUnpacked }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let first = unsafe prefix.read(into: buffer)
    if first > 0 { return first }
    let count = unsafe rest.read(into: buffer)
    failure = rest.failure
    return count
  }
}
