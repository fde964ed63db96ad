import CArchive

/// A zip or tar archive, or a compressed stream, read in order through libarchive from any source.
@safe final class Archive {
  /// A member as the archive lists it.
  struct Member {
    /// Its place among all entries of the archive, from 0.
    var ordinal: Int
    var path: String
    var isFile: Bool
  }

  private let handle: OpaquePointer
  private let feed: ArchiveFeed
  private let name: String
  /// The ordinal of the entry that comes next.
  private(set) var entries = 0
  /// What is left of libarchive's current block of the member, valid until the next call into it.
  private var block: UnsafeRawPointer?
  private var blockLeft = 0

  init(_ source: ByteSource, name: String) throws(CaptureError) {
    guard let opened = unsafe archive_read_new() else {
      throw CaptureError(.unreadable, "\(name) cannot be unpacked: there is no memory.")
    }
    unsafe handle = unsafe opened
    feed = ArchiveFeed(source)
    self.name = name
    unsafe archive_read_support_filter_zstd(opened)
    unsafe archive_read_support_filter_xz(opened)
    unsafe archive_read_support_filter_bzip2(opened)
    unsafe archive_read_support_format_zip(opened)
    unsafe archive_read_support_format_tar(opened)
    unsafe archive_read_support_format_raw(opened)
    let context = unsafe Unmanaged.passUnretained(feed).toOpaque()
    unsafe archive_read_set_callback_data(opened, context)
    unsafe archive_read_set_read_callback(opened) { _, context, piece in
      guard let context = unsafe context else { return -1 }
      let feed = unsafe Unmanaged<ArchiveFeed>.fromOpaque(context).takeUnretainedValue()
      return unsafe feed.read(piece)
    }
    if source.isSeekable {
      unsafe archive_read_set_seek_callback(opened) { _, context, offset, whence in
        guard let context = unsafe context else { return -30 }
        return unsafe Unmanaged<ArchiveFeed>.fromOpaque(context).takeUnretainedValue().seek(offset, whence)
      }
    }
    guard unsafe archive_read_open1(opened) == ARCHIVE_OK else {
      let reason = unsafe Self.reason(archive_error_string(opened))
      throw CaptureError(.unreadable, "\(name) cannot be unpacked: \(reason).")
    }
  }

  deinit { unsafe archive_read_free(handle) }

  /// The next entry, or nil at the end or where the archive is damaged.
  func nextMember() -> Member? {
    blockLeft = 0
    var entry: OpaquePointer?
    let result = unsafe archive_read_next_header(handle, &entry)
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let found = unsafe entry else {
      failure = feed.failure ?? failure
      if result != ARCHIVE_EOF, failure == nil { failure = unsafe Self.reason(archive_error_string(handle)) }
      return nil
    }
    defer { entries += 1 }
    let path = unsafe archive_entry_pathname_utf8(found) ?? archive_entry_pathname(found)
    let text = if let path = unsafe path { unsafe String(cString: path) } else { "entry \(entries)" }
    return unsafe Member(ordinal: entries, path: text, isFile: archive_entry_filetype(found) == Self.regularFile)
  }

  /// Walks on to an entry that has not come yet; nil where the archive does not reach it.
  func member(at ordinal: Int) -> Member? {
    while let member = nextMember() {
      if member.ordinal >= ordinal { return member }
    }
    return nil
  }

  /// True where the input is one compressed stream and no archive.
  var isPlainStream: Bool { unsafe archive_format(handle) & Self.formatMask == Self.rawFormat }

  /// Why the archive ended early; nil while all is well.
  private(set) var failure: String?

  /// Octets of the current member: what a damaged one holds before the damage is delivered first.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var attempts = 0
    while blockLeft == 0 {
      guard failure == nil, attempts < Self.emptyBlockBound else { return 0 }
      attempts += 1
      var start: UnsafeRawPointer?
      var size = 0
      var offset: Int64 = 0
      let result = unsafe archive_read_data_block(handle, &start, &size, &offset)
      if result == ARCHIVE_EOF {
        if isPlainStream { failure = feed.failure }
        return 0
      }
      guard result == ARCHIVE_OK || result == ARCHIVE_WARN else {
        failure = unsafe Self.reason(archive_error_string(handle))
        return 0
      }
      if let start = unsafe start {
        unsafe block = unsafe start
        blockLeft = size
      }
    }
    guard let from = unsafe block else { return 0 }
    let count = min(blockLeft, buffer.count)
    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: from, count: count))
    unsafe block = from + count
    blockLeft -= count
    return count
  }

  /// The error of an archive in which no member could be found.
  func emptiness() -> CaptureError {
    if let failure { return CaptureError(.unreadable, "\(name) cannot be unpacked: \(failure).") }
    return CaptureError(.notACapture, "\(name) holds no Bluetooth capture.")
  }

  /// The error of archives nested beyond what is followed.
  static func tooDeep(_ name: String) -> CaptureError {
    CaptureError(.refused, "\(name) is nested too deeply in other archives.", hint: "Unpack the outer archive first.")
  }

  /// Blocks without octets in a row before a member counts as ended.
  private static let emptyBlockBound = 1000
  private static let regularFile: UInt32 = 0o100000
  private static let formatMask: Int32 = 0xFF0000
  private static let rawFormat: Int32 = 0x90000

  /// libarchive's reason with nothing in it that a terminal would obey.
  private static func reason(_ text: UnsafePointer<CChar>?) -> String {
    guard let text = unsafe text else { return "it is damaged" }
    let plain = unsafe String(cString: text).unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }
    let reason = String(String.UnicodeScalarView(plain))
    return reason == "Unrecognized archive format" ? "nothing in it can be unpacked" : reason
  }
}

/// Hands libarchive the octets of a source in pieces.
@safe private final class ArchiveFeed {
  private let source: ByteSource
  private let piece: UnsafeMutableRawBufferPointer
  private var position = 0

  /// Why the source gives no more.
  var failure: String? { source.failure }

  init(_ source: ByteSource) {
    self.source = source
    unsafe piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  }

  deinit { unsafe piece.deallocate() }

  func read(_ out: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    let count = unsafe source.read(into: piece)
    position += count
    unsafe out?.pointee = UnsafeRawPointer(piece.baseAddress)
    // A failure is an early end: what came before it is unpacked first.
    return count
  }

  /// `whence`: 0 from the start, 1 from here, 2 from the end.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let from = whence == 0 ? 0 : whence == 1 ? position : source.size ?? 0
    let target = from.addingReportingOverflow(Int(offset))
    guard !target.overflow, target.partialValue >= 0, source.seek(to: target.partialValue) else { return -30 }
    position = target.partialValue
    return Int64(position)
  }
}
