import Glibc

/// Octets on their way to a file descriptor, or collected in memory.
///
/// Writes go out in pieces of 64 KiB. The first error is kept in `failure`; what is appended after it is let go, so a
/// producer need only look between two pieces of work. Ignore SIGPIPE in the process, or a reader that is gone ends it.
public struct OutputBuffer: Sendable {
  /// Why nothing more can be written.
  public private(set) var failure: Failure?
  /// Nil where the octets are collected.
  let descriptor: Int32?
  /// What is not written yet.
  @usableFromInline var pending: [UInt8] = []
  @usableFromInline static let pieceLength = 65_536

  /// Octets that are no longer waiting.
  private var flushed = 0

  /// Octets go to `descriptor`, which the caller keeps open.
  public init(descriptor: Int32) {
    self.descriptor = descriptor
    pending.reserveCapacity(Self.pieceLength + 4096)
  }

  /// Octets are collected; `octets` has them.
  public init() { descriptor = nil }

  /// What stopped the output.
  public enum Failure: Hashable, Sendable {
    /// The process that read the output has closed it (EPIPE): the end of the work, no fault.
    case readerGone
    /// No room is left on the device or in the quota.
    case full
    /// Another error number.
    case system(Int32)

    /// One line, or nil where there is nothing to tell.
    public var text: String? {
      switch self {
      case .readerGone: nil
      case .full: "no space left to write to"
      case .system(let number): unsafe String(cString: strerror(number))
      }
    }
  }

  /// What was collected, or what still waits to be written.
  public var octets: [UInt8] { pending }
  /// The same as text.
  public var text: String { String(decoding: pending, as: UTF8.self) }
  /// How many octets were appended in all.
  public var count: Int { flushed + pending.count }
  /// False once an error occurred.
  public var isOpen: Bool { failure == nil }

  /// Writes what waits; nothing where the octets are collected.
  public mutating func flush() {
    guard let descriptor else { return }
    var place = 0
    while place < pending.count, failure == nil {
      let count = unsafe pending.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress?.advanced(by: place), bytes.count - place)
      }
      if count > 0 {
        place += count
      } else if count == 0 {
        failure = .system(EIO)
      } else {
        fail(errno, on: descriptor)
      }
    }
    flushed += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func fail(_ number: Int32, on descriptor: Int32) {
    switch number {
    case EINTR: return
    case EAGAIN:
      // A pipe that another process has made non-blocking.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&waiting, 1, -1)
    case EPIPE: failure = .readerGone
    case ENOSPC, EDQUOT: failure = .full
    default: failure = .system(number)
    }
  }

  /// Ends the output where what belongs into it cannot be had.
  public mutating func abandon(_ reason: Failure) {
    if failure == nil { failure = reason }
  }

  /// Lets go what was collected, and keeps its room.
  mutating func clear() {
    flushed = 0
    pending.removeAll(keepingCapacity: true)
  }

  /// What was collected, cut to so many columns.
  mutating func cut(to limit: Int) {
    let isPlain = pending.allSatisfy { $0 < 0x80 }
    if isPlain && pending.count <= limit { return }
    let shown = TextColumns.cut(text, to: limit)
    pending.removeAll(keepingCapacity: true)
    pending.append(contentsOf: shown.utf8)
  }

  /// Gives itself away to a writer, from whom it must be taken back.
  mutating func taken() -> OutputBuffer {
    var given = OutputBuffer()
    swap(&given, &self)
    return given
  }

  @usableFromInline mutating func flushPiece() { if descriptor != nil { flush() } }

  /// Writes a piece where one is full: once for each value, not for each octet.
  @inlinable mutating func flushIfFull() {
    if pending.count >= Self.pieceLength { flushPiece() }
  }

  /// One octet, without a look at the piece: `flushIfFull` must follow soon.
  @inline(__always) mutating func put(_ octet: UInt8) { pending.append(octet) }

  /// One octet.
  @inlinable public mutating func append(octet: UInt8) {
    pending.append(octet)
    flushIfFull()
  }

  /// Text as it is; a literal costs no allocation.
  @inlinable public mutating func append(_ text: String) {
    pending.append(contentsOf: text.utf8)
    flushIfFull()
  }

  /// Octets as they are.
  @inlinable public mutating func append(_ octets: [UInt8]) {
    pending.append(contentsOf: octets)
    flushIfFull()
  }

  /// Octets as they are.
  public mutating func append(octetsOf span: RawSpan) {
    pending.append(addingCapacity: span.byteCount) { (room: inout OutputSpan<UInt8>) in
      unsafe room.withUnsafeMutableBufferPointer { target, count in
        guard let start = target.baseAddress else { return }
        unsafe span.withUnsafeBytes { octets in
          guard let from = octets.baseAddress else { return }
          unsafe UnsafeMutableRawPointer(start + count).copyMemory(from: from, byteCount: octets.count)
          count += octets.count
        }
      }
    }
    flushIfFull()
  }

  /// `count` times the same octet.
  public mutating func append(repeating octet: UInt8, count: Int) {
    for _ in 0..<max(0, count) { pending.append(octet) }
    flushIfFull()
  }

  /// Line feed.
  @inlinable public mutating func newline() { append(octet: 0x0A) }
}
