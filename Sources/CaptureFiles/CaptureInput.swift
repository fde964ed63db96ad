/// What a capture is read from.
public enum CaptureInput: Sendable, Equatable {
  /// A file, a named pipe or a device, by its path.
  case path(String)
  /// The process's standard input, read as a stream: frames come as they arrive.
  case standardInput
  /// Octets in memory; `name` is what messages call them.
  case memory([UInt8], name: String)

  /// The input as messages name it.
  public var name: String {
    switch self {
    case .path(let path): path
    case .standardInput: "standard input"
    case .memory(_, let name): name
    }
  }
}

extension CaptureInput {
  /// True for what can be read only once: standard input, a named pipe, a device.
  var isStream: Bool {
    switch self {
    case .path(let path): FileSource.isStream(path)
    case .standardInput: true
    case .memory: false
    }
  }

  /// A source that gives the input's octets from its first.
  func open() throws(CaptureError) -> ByteSource {
    switch self {
    case .path(let path): try FileSource(path: path)
    case .standardInput: FileSource()
    case .memory(let octets, _): MemorySource(octets)
    }
  }
}
