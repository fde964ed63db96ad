import CaptureFiles
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: writableFormats)
  func everyFormatGivesBackWhatWasWritten(_ format: WritableFormat) throws {
    let walk = try Walk(written(format))
    #expect(walk.frames.map(\.kind) == packets.map(\.0))
    #expect(walk.frames.map(\.octets) == packets.map(\.1))
    #expect(walk.frames.map(\.time) == (0..<4).map { midnight + $0 * 10_000 })
    #expect(walk.frames.map(\.number) == [1, 2, 3, 4])
    #expect(walk.frames.map(\.originalLength) == packets.map(\.1.count))
    #expect(walk.notes.isEmpty)
  }

  @Test func monitorKeepsAdaptersAndEveryKind() throws {
    let kinds: [FrameKind] = [
      .adapterAdded, .adapterRemoved, .command, .event, .aclSent, .aclReceived, .scoSent, .scoReceived,
      .adapterOpened, .adapterClosed, .adapterInformation, .other, .text, .isoSent, .isoReceived,
    ]
    for format in [WritableFormat.btsnoop(.monitor), .pcap(.monitor)] {
      var writer = CaptureWriter(format: format)
      for (index, kind) in kinds.enumerated() {
        writer.write(kind: kind, adapter: UInt16(index), time: midnight, octets: [1, 2, 3])
      }
      let walk = try Walk(writer.finish())
      #expect(walk.frames.map(\.kind) == kinds)
      #expect(walk.frames.map(\.adapter) == kinds.indices.map(UInt16.init))
    }
  }

  @Test func kindsAFormatCannotCarryAreCounted() throws {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    writer.write(kind: .adapterAdded, time: midnight, octets: [])
    writer.write(kind: .command, time: midnight, octets: [3, 12, 0])
    #expect(writer.droppedCount == 1)
    #expect(writer.recordCount == 1)
    #expect(try Walk(writer.finish()).frames.count == 1)
  }

  @Test(arguments: [WritableFormat.btsnoop(.uart), .pcap(.uartWithDirection), .pcapng])
  func clippedPacketsKeepTheirLength(_ format: WritableFormat) throws {
    var writer = CaptureWriter(format: format)
    for _ in 0..<2 {
      writer.write(kind: .aclReceived, time: midnight, octets: [0x40, 0x20, 7, 0], originalLength: 11)
    }
    let walk = try Walk(writer.finish())
    #expect(walk.frames.allSatisfy { $0.octets.count == 4 && $0.originalLength == 11 })
    #expect(walk.notes == [CaptureNote(.clippedPackets, frame: 1, amount: 4)])
  }

  @Test func writtenFileIsReadByPath() throws {
    try withFile("round-trip.btsnoop", []) { path in
      var writer = CaptureWriter(format: .btsnoop(.uart))
      writer.write(kind: .command, time: midnight, octets: [3, 12, 0])
      try writer.finish(to: path)
      #expect(try Walk(captures(in: path)[0]).frames.count == 1)
    }
  }
}
