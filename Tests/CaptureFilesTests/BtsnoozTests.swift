import CaptureFiles
import Testing

@Suite struct BtsnoozTests {
  /// length, packet length (version 2), delta, type, data.
  private func record(_ version: UInt8, _ type: UInt8, delta: UInt32, original: Int? = nil, _ data: [UInt8]) -> [UInt8]
  {
    let lengths = version == 1 ? [data.count + 1] : [data.count + 1, (original ?? data.count) + 1]
    return lengths.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      + (0..<4).map { UInt8(truncatingIfNeeded: delta >> (8 * $0)) } + [type] + data
  }

  private let acl: [UInt8] = [0x40, 0x20, 0x14, 0x00, 0x10, 0x00, 0x04, 0x00, 0x1B, 0x0C, 0x00, 0x1B, 0x05, 0x00]

  private func records(_ version: UInt8) -> [UInt8] {
    record(version, 0x20, delta: 1_000, [0x03, 0x0C, 0x00])
      + record(version, 0x10, delta: 500, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
      + record(version, 0x11, delta: 250, original: 24, acl)
  }

  @Test(arguments: [UInt8(1), 2])
  func sectionInText(_ version: UInt8) throws {
    let text = PackedFixture.btsnooz(version: version, last: UInt64(midnight), records: records(version))
    let walk = try Walk(text)
    #expect(walk.format == .btsnooz(version: version))
    #expect(walk.frames.map(\.kind) == [.command, .event, .aclReceived])
    #expect(walk.frames.map(\.time) == [midnight - 750, midnight - 250, midnight])
    #expect(walk.frames[2].octets == acl)
    #expect(walk.frames[2].originalLength == 24)
    #expect(walk.notes == [CaptureNote(.clippedPackets, frame: 3, amount: 14)])
  }

  @Test func sectionInTheTextOfABugReport() throws {
    let text = PackedFixture.btsnooz(version: 2, last: UInt64(midnight), records: records(2))
    let zip = PackedFixture.pack(.zip, [("bugreport-phone-2025.txt", text)])
    let found = try captures(in: .memory(zip, name: "b.zip"))
    #expect(found.map(\.format) == [.btsnooz(version: 2)])
    #expect(try Walk(found[0]).frames.count == 3)
  }

  @Test func cutSectionsKeepWhatThereIs() throws {
    let text = PackedFixture.btsnooz(version: 2, last: UInt64(midnight), records: records(2))
    let cut = Array(text.dropLast(60))
    let walk = try Walk(cut)
    #expect(walk.notes.contains { $0.kind == .damagedArchive })
    let other = PackedFixture.btsnooz(version: 3, last: 0, records: records(2))
    let error = #expect(throws: CaptureError.self) { try Walk(other) }
    #expect(error?.message.contains("version 3") == true)
  }
}
