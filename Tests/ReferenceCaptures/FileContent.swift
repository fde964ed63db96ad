import Glibc

/// A whole file.
public struct FileContent: Sendable {
  public var octets: [UInt8]

  /// Nil where it cannot be read.
  public init?(_ path: String) {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    octets = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { octets += piece[..<count] }
  }

  public var text: String { String(decoding: octets, as: UTF8.self) }
}
