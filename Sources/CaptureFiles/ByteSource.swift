/// Where octets come from, piece by piece: a base class, asked once for a piece of hundreds of KiB, never for a frame.
class ByteSource {
  /// Why the octets ended early; nil while all is well.
  var failure: String?

  /// True where the octets come out of an archive or a compressed stream.
  var isUnpacked: Bool { false }

  /// True where `seek` works.
  var isSeekable: Bool { false }

  /// Reads what is there, up to the buffer's size; 0 at the end or on a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

  /// Moves to `offset` from the start; false where it cannot.
  func seek(to offset: Int) -> Bool { false }

  /// How many octets there are in all, where that is known.
  var size: Int? { nil }
}
