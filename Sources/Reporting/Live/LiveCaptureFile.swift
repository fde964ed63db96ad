public import CaptureFiles
import Glibc

/// A capture file that grows while the traffic runs: btsnoop of the Linux monitor (datalink 2001), private to its owner.
///
/// Keys in it are zeros, as in every output: long-term keys in commands, and what pairing tells on the air. What is
/// flushed is in the file, whatever ends the process then.
public struct LiveCaptureFile {
  private var keys = KeyMaterial()
  private var writer = CaptureWriter(format: .btsnoop(.monitor))
  private var output: OutputBuffer
  private var hasHeader = false
  /// How many records are in the file.
  public private(set) var recordCount: UInt32 = 0

  /// Octets before the first record.
  private static let headerLength = 16

  /// Opens the file and empties it; the error names the path and says why it cannot be written.
  public init(path: String) throws(CaptureError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw CaptureError(.unreadable, "\(path) cannot be written: \(reason).", hint: "Name another file.")
    }
    // A file that was there keeps its mode through O_CREAT.
    _ = fchmod(descriptor, 0o600)
    output = OutputBuffer(descriptor: descriptor)
    flush()
  }

  /// Why nothing more can be written; nil while all is well.
  public var failure: String? { output.failure?.text }

  /// Takes one record with its keys; false where it is not for a file.
  public mutating func write(_ frame: CapturedFrame, _ octets: [UInt8]) -> Bool {
    guard let shown = unsafe keys.shown(frame, octets.span.bytes) else { return false }
    writer.write(kind: frame.kind, adapter: frame.adapter, time: frame.time, octets: shown)
    recordCount += 1
    return true
  }

  /// Brings what was taken into the file; `lost` is how many records the kernel let go so far.
  public mutating func flush(lost: UInt32 = 0) {
    let octets = writer.finish()
    output.append(hasHeader ? Array(octets.dropFirst(Self.headerLength)) : octets)
    output.flush()
    hasHeader = true
    writer = CaptureWriter(format: .btsnoop(.monitor))
    writer.drops = lost
  }

  /// Ends the writing.
  public mutating func close() {
    flush()
    if let descriptor = output.descriptor { _ = Glibc.close(descriptor) }
  }
}
