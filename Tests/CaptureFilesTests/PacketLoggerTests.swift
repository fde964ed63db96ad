import CaptureFiles
import Testing

/// The format tells no original length: the packets do.
@Suite struct PacketLoggerTests {
  private let command: [UInt8] = [0x03, 0x0C, 0x00]
  private let event: [UInt8] = [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
  private let acl: [UInt8] = [0x40, 0x20, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x03, 0x17, 0x00]

  private func walk(_ records: [(FrameKind, [UInt8])], isBigEndian: Bool) throws -> Walk {
    var writer = CaptureWriter(format: .packetLogger(bigEndian: isBigEndian))
    for (kind, octets) in records { writer.write(kind: kind, time: midnight, octets: octets) }
    return try Walk(writer.finish())
  }

  @Test(arguments: [true, false])
  func `a packet shorter than its header says was cut`(_ isBigEndian: Bool) throws {
    let records: [(FrameKind, [UInt8])] = [
      (.command, command), (.event, Array(event.prefix(4))), (.aclReceived, Array(acl.prefix(9))),
      (.aclSent, Array(acl.prefix(4))), (.aclSent, acl),
    ]
    let walk = try walk(records, isBigEndian: isBigEndian)
    #expect(walk.frames.map(\.octets) == records.map(\.1))
    #expect(walk.frames.map(\.originalLength) == [3, 6, 11, 11, 11])
    #expect(walk.notes == [CaptureNote(.clippedPackets, frame: 2, amount: 4)])
  }

  @Test func `a packet without a whole header tells no length, and one with octets behind its end is whole`() throws {
    let walk = try walk(
      [(.command, command), (.aclReceived, Array(acl.prefix(3))), (.aclReceived, acl + [0, 0])],
      isBigEndian: true
    )
    #expect(walk.frames.map(\.originalLength) == [3, 3, 13])
    #expect(walk.notes.isEmpty)
  }
}
