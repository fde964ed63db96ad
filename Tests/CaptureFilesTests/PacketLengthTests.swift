import BluetoothWire
import CaptureFiles
import Testing

/// Files that name another link type than they hold.
@Suite struct PacketLengthTests {
  /// So many rounds of a mix of packets, each of which may stand behind its H4 type octet.
  private static func notes(_ format: WritableFormat, rounds: Int, isShifted: Bool) throws -> [CaptureNote] {
    var writer = CaptureWriter(format: format)
    for round in 0..<rounds {
      for (kind, octets) in packets {
        let type: UInt8 = kind == .command ? 1 : kind == .event ? 4 : 2
        let shown = isShifted ? [type] + octets : octets
        writer.write(kind: kind, time: midnight + Int64(round) * 10_000, octets: shown)
      }
    }
    return try Walk(writer.finish()).notes
  }

  @Test func packetsBehindTheirTypeOctetAreNoted() throws {
    for rounds in [3, 300] {
      let notes = try Self.notes(.btsnoop(.unencapsulated), rounds: rounds, isShifted: true)
      #expect(notes.map(\.kind) == [.impossiblePackets])
      #expect(notes.first?.frame == 1)
    }
  }

  @Test(arguments: writableFormats)
  func packetsAsLongAsTheySayAreNotNoted(_ format: WritableFormat) throws {
    #expect(try Self.notes(format, rounds: 100, isShifted: false).isEmpty)
  }

  @Test func aFewPacketsSayNothing() throws {
    #expect(try Self.notes(.btsnoop(.unencapsulated), rounds: 1, isShifted: true).isEmpty)
  }

  @Test func onlyTheFileWithAWrongLinkTypeIsNoted() throws {
    for path in Corpus.files(in: "damaged") + Corpus.files(in: "captures") {
      guard let sources = try? captures(in: path) else { continue }
      for source in sources {
        guard let walk = try? Walk(source) else { continue }
        let isNoted = walk.notes.contains { $0.kind == .impossiblePackets }
        #expect(isNoted == path.hasSuffix("wrong_datalink_1001.btsnoop"), "\(path)")
      }
    }
  }
}
