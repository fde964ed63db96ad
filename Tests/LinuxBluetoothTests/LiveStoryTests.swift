import CaptureFiles
import Foundation
import Glibc
import Reporting
import Testing

/// What `capture` tells while it records.
@Suite struct LiveStoryTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The story of a sample, its traffic on this adapter, and a command to another one where that is named.
  private func story(_ sample: String, on adapter: UInt16, beside other: UInt16? = nil) throws -> [String] {
    let path = NSTemporaryDirectory() + "live-story-" + UUID().uuidString
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #expect(descriptor >= 0)
    defer {
      close(descriptor)
      unlink(path)
    }
    var story = LiveStory(descriptor: descriptor, zone: .utc)
    var reader = try CaptureReader.open(.path(Self.root.appendingPathComponent("samples/" + sample).path))
    while var frame = reader.next() {
      let bytes = reader.bytes(of: frame)
      let octets = (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
      if let other, frame.kind == .command {
        frame.adapter = other
        story.take(frame, [0x03, 0x0C, 0x00])
      }
      frame.adapter = adapter
      story.take(frame, octets)
    }
    var output = story.finish(file: "trace.btsnoop")
    output?.flush()
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [0, 1, 12] as [UInt16]) func theHeadNamesTheAdapter(adapter: UInt16) throws {
    let lines = try story("first-sync.btsnoop", on: adapter)
    #expect(lines.first == "hci\(adapter), live   2026-11-30   times +00:00")
    #expect(lines.contains { $0.contains("F0:0D:CA:FE:00:01 (random static)") })
    #expect(!lines.contains { $0.contains("standard input") })
  }

  @Test func severalAdaptersAreAllNamed() throws {
    let lines = try story("first-sync.btsnoop", on: 0, beside: 3)
    #expect(lines.first?.hasPrefix("hci0, hci3, live   ") == true)
  }
}
