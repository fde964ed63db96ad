import CaptureFiles
import Testing

/// A file that goes on with nothing is not read to its end.
@Suite(.timeLimit(.minutes(2))) struct EmptyRecordTests {
  @Test(arguments: [WritableFormat.btsnoop(.unencapsulated), .btsnoop(.uart), .btsnoop(.monitor), .pcap(.uart)])
  func zerosBehindALog(_ format: WritableFormat) throws {
    let whole = written(format)
    let expected = try Walk(whole)
    for count in [48, 500, 100_000] {
      let walk = try Walk(whole + [UInt8](repeating: 0, count: count))
      #expect(walk.frames == expected.frames, "\(count)")
      #expect(walk.notes == [CaptureNote(.emptyRecords, frame: 5, amount: Int64(whole.count))], "\(count)")
    }
  }

  /// 60 MB of zeros in 60 KB.
  @Test func aBombOfZerosEndsSoon() throws {
    let octets = written(.btsnoop(.uart)) + [UInt8](repeating: 0, count: 60_000_000)
    let packed = PackedFixture.pack(.gzip, [("data", octets)])
    #expect(packed.count < 100_000)
    let walk = try Walk(packed)
    #expect(walk.frames.count == 4)
    #expect(walk.notes.map(\.kind) == [.emptyRecords])
  }

  /// Records without octets that are not zeroed.
  @Test(arguments: writableFormats)
  func recordsWithoutOctets(_ format: WritableFormat) throws {
    // Cut down to its header, a packet of any format is one without octets or with a type alone.
    var writer = CaptureWriter(format: format)
    for index in 0..<5_000 {
      writer.write(kind: .aclSent, time: midnight + Int64(index), octets: [], originalLength: 9)
    }
    let walk = try Walk(writer.finish())
    let hasType = PacketTypeOctets.count(format) > 0
    #expect(walk.frames.count == (hasType ? 5_000 : 1_024))
    #expect(walk.notes.contains { $0.kind == .emptyRecords } == !hasType)
  }

  /// An empty record among others ends nothing.
  @Test func emptyRecordsAmongOthers() throws {
    var writer = CaptureWriter(format: .btsnoop(.unencapsulated))
    for index in 0..<5_000 {
      writer.write(kind: .event, time: midnight + Int64(index), octets: index % 2 == 0 ? [] : [0x13, 0x00])
    }
    let walk = try Walk(writer.finish())
    #expect(walk.frames.count == 5_000)
    #expect(!walk.notes.contains { $0.kind == .emptyRecords })
  }

  private enum PacketTypeOctets {
    /// What a format puts before the packet within the record.
    static func count(_ format: WritableFormat) -> Int {
      switch format {
      case .btsnoop(.unencapsulated), .btsnoop(.monitor), .packetLogger: 0
      default: 1
      }
    }
  }
}
