import Foundation
import Testing

@testable import CaptureFiles

/// A file that takes its place only once it is whole.
@Suite struct ReplacedFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// O_TMPFILE, which Swift does not import, needs the file system to do it.
  private static let hasUnnamedFiles: Bool = {
    let descriptor = open(NSTemporaryDirectory(), O_WRONLY | O_DIRECTORY | 0o20_000_000, 0o600)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }()

  /// What is open has no name, so that a process that is killed leaves nothing behind.
  @Test(.enabled(if: hasUnnamedFiles, "the file system of temporary files has none without a name"))
  func aDraftLeavesNothingBehind() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try ReplacedFile(path: folder.appendingPathComponent("out").path)
    #expect(write(file.descriptor, "half", 4) == 4)
    #expect(try names.isEmpty)
    file.discard()
    #expect(try names.isEmpty)
  }

  @Test func whatWasThereIsReplacedAtTheEnd() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent("out")
    try Data("old".utf8).write(to: place)
    let file = try ReplacedFile(path: place.path)
    #expect(write(file.descriptor, "new", 3) == 3)
    #expect(try Data(contentsOf: place) == Data("old".utf8))
    try file.commit()
    #expect(try Data(contentsOf: place) == Data("new".utf8))
    #expect(try names == ["out"])
  }

  @Test func aFileThatWasDiscardedLeavesTheOldOne() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent("out")
    try Data("old".utf8).write(to: place)
    try ReplacedFile(path: place.path).discard()
    #expect(try Data(contentsOf: place) == Data("old".utf8))
    #expect(try names == ["out"])
  }
}
