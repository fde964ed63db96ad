import Glibc

/// Asks a person for a line, or takes it from where a script put it, without ever blocking.
public struct Prompt: Sendable {
  private var source: Source
  private var received: [UInt8] = []
  private var isAsked = false

  /// Where the line comes from.
  public enum Source: Sendable, Equatable {
    /// Nobody is there to ask.
    case nobody
    /// The line is known.
    case given(String)
    /// The line is read from a descriptor, without a question.
    case descriptor(Int32)
    /// The question is written to a terminal, and the line read from it.
    case terminal(Int32)
  }

  /// What came of asking.
  public enum Reply: Sendable, Equatable {
    case pending
    case line(String)
    /// Nobody answers.
    case none
  }

  /// Longer lines are no answer to anything that is asked.
  private static let lineBound = 256

  public init(_ source: Source) { self.source = source }

  /// True where somebody or something can answer.
  public var canAnswer: Bool { source != .nobody }

  var origin: Source { source }

  /// To be waited on while a line is pending; -1 for nothing.
  public var descriptor: Int32 {
    guard isAsked else { return -1 }
    switch source {
    case .descriptor(let descriptor), .terminal(let descriptor): return descriptor
    case .nobody, .given: return -1
    }
  }

  /// Asks; what is known at once is the reply.
  public mutating func ask(_ question: String) -> Reply {
    switch source {
    case .nobody: return .none
    case .given(let line): return .line(line)
    case .descriptor: isAsked = true
    case .terminal(let descriptor):
      isAsked = true
      received = []
      let text = Array(question.utf8)
      _ = unsafe text.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }
    return .pending
  }

  /// Reads what waits on the descriptor, which poll has called ready.
  public mutating func read() -> Reply {
    guard descriptor >= 0 else { return .none }
    var octets = [UInt8](repeating: 0, count: Self.lineBound)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && (errno == EINTR || errno == EAGAIN) { return .pending }
    if count > 0 { received += octets[..<count] }
    if let end = received.firstIndex(of: 0x0A) { return finish(received[..<end]) }
    if count <= 0 || received.count > Self.lineBound {
      return received.isEmpty || received.count > Self.lineBound ? giveUp() : finish(received[...])
    }
    return .pending
  }

  private mutating func finish(_ line: ArraySlice<UInt8>) -> Reply {
    isAsked = false
    let text = String(decoding: line, as: UTF8.self)
    if case .descriptor = source { source = .given(text) }
    received = []
    return .line(text)
  }

  private mutating func giveUp() -> Reply {
    isAsked = false
    source = .nobody
    return .none
  }
}
