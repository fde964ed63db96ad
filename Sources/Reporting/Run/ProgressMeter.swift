import Glibc

/// A line on stderr for input that takes longer than a second; silent where stderr is no terminal or a dumb one.
public struct ProgressMeter: Sendable {
  private let name: String
  private let isShown: Bool
  private var isWritten = false
  /// When the next line is due, in milliseconds.
  private var due: Int64

  /// Frames to read between two ticks: few enough for a stream that comes slowly.
  public static let stride = 256

  public init(_ name: String, isShown: Bool) {
    self.name = name
    self.isShown = isShown && Self.canBeTakenAway
    due = Self.now() + 1000
  }

  /// A meter that never writes.
  public static let silent = ProgressMeter("", isShown: false)

  /// False for a terminal that knows no control sequences.
  private static var canBeTakenAway: Bool {
    guard let kind = unsafe getenv("TERM") else { return false }
    return unsafe !["", "dumb"].contains(String(cString: kind))
  }

  private static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  public mutating func tick(frames: UInt32) {
    guard isShown else { return }
    let now = Self.now()
    guard now >= due else { return }
    due = now + 200
    isWritten = true
    var output = OutputBuffer(descriptor: 2)
    output.append("\r\(TextEscaping.terminal(name)): \(countText(frames, "frame")) …")
    output.flush()
  }

  /// Takes the line away again, where there is one.
  public func clear() {
    guard isWritten else { return }
    var output = OutputBuffer(descriptor: 2)
    output.append("\r\u{1B}[K")
    output.flush()
  }
}
