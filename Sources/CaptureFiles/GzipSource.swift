import CZlib

/// The octets of a gzip stream, of several members one after the other: what comes before a damage is delivered.
@safe final class GzipSource: ByteSource {
  private let packed: ByteSource
  private let input: UnsafeMutableRawBufferPointer
  private let stream: UnsafeMutablePointer<z_stream>
  private var isInMember = false
  private var isExhausted = false
  private var hasEnded = false

  static let magic: [UInt8] = [0x1F, 0x8B]
  /// Window bits of the largest window, and the wish for a gzip header.
  private static let windowBits: Int32 = 15 + 16

  init(_ packed: ByteSource) {
    self.packed = packed
    unsafe input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    super.init()
    let result = unsafe inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if result != Z_OK { failure = "there is no memory to unpack it" }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe input.deallocate()
  }

  override var isUnpacked: Bool { true }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    let room = UInt32(clamping: buffer.count)
    unsafe stream.pointee.next_out = unsafe base.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = room
    while unsafe stream.pointee.avail_out == room, !hasEnded, failure == nil, room > 0 { step() }
    return unsafe Int(room - stream.pointee.avail_out)
  }

  private func step() {
    if unsafe stream.pointee.avail_in == 0, !isExhausted { refill() }
    if !isInMember {
      // What follows a member and is none is padding.
      guard unsafe stream.pointee.avail_in > 0, unsafe stream.pointee.next_in.pointee == Self.magic[0] else {
        hasEnded = true
        failure = packed.failure
        return
      }
      unsafe inflateReset(stream)
      isInMember = true
    }
    let before = unsafe stream.pointee.avail_out
    let result = unsafe inflate(stream, Z_NO_FLUSH)
    let isStuck = unsafe stream.pointee.avail_out == before && stream.pointee.avail_in == 0 && isExhausted
    switch result {
    case Z_STREAM_END: isInMember = false
    case Z_OK, Z_BUF_ERROR:
      if isStuck { failure = packed.failure ?? "the compressed data ends early" }
    default: failure = "the compressed data is damaged"
    }
  }

  private func refill() {
    let count = unsafe packed.read(into: input)
    isExhausted = count == 0
    unsafe stream.pointee.next_in = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = UInt32(count)
  }
}
