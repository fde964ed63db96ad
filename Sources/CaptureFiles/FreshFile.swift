import Glibc

/// A new file under a name nobody has, readable by its owner alone.
public struct FreshFile: Sendable {
  public let descriptor: Int32
  public let path: String

  /// Makes the file; its path begins with `prefix`. Nil where it cannot be made: errno says why.
  public init?(prefix: String) {
    var template = Array((prefix + String(repeating: "X", count: 6)).utf8CString)
    descriptor = unsafe template.withUnsafeMutableBufferPointer { name in
      guard let base = name.baseAddress else { return -1 }
      return unsafe mkstemp(base)
    }
    guard descriptor >= 0 else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
