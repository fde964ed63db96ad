import Foundation
import Testing

/// What a command printed when its output was last looked at; `UPDATE_GOLDEN=1` writes it anew.
enum GoldenFile {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  /// Expects `output` to be the text kept as `name` in `folder`.
  static func expect(
    _ output: String,
    toBe name: String,
    in folder: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let golden = root.appendingPathComponent(folder).appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try output.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(output == expected, "\(folder)/\(name) is something else", sourceLocation: location)
  }
}
