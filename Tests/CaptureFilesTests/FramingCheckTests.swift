import CaptureFiles
import ReferenceCaptures
import Testing

/// A btsnoop file whose header names the other datalink is read, and said to be nonsense.
@Suite struct FramingCheckTests {
  private func mislabelled(_ octets: [UInt8], as datalink: BtsnoopDatalink) -> [UInt8] {
    var changed = octets
    changed[14] = UInt8(datalink.rawValue >> 8)
    changed[15] = UInt8(datalink.rawValue & 0xFF)
    return changed
  }

  private func octets(_ format: WritableFormat, times: Int = 2) -> [UInt8] {
    var writer = CaptureWriter(format: format)
    for index in 0..<(packets.count * times) {
      let packet = packets[index % packets.count]
      writer.write(kind: packet.0, time: midnight + Int64(index), octets: packet.1)
    }
    return writer.finish()
  }

  @Test func typeOctetsUnderTheHeaderWithoutThem() throws {
    let walk = try Walk(mislabelled(octets(.btsnoop(.uart)), as: .unencapsulated))
    #expect(walk.frames.count == 8)
    #expect(walk.notes == [CaptureNote(.otherFraming, frame: 1, amount: 1002)])
  }

  @Test func noTypeOctetsUnderTheHeaderWithThem() throws {
    let walk = try Walk(mislabelled(octets(.btsnoop(.unencapsulated)), as: .uart))
    #expect(walk.notes.first { $0.kind == .otherFraming } == CaptureNote(.otherFraming, frame: 1, amount: 1001))
  }

  @Test func whatFitsItsHeaderIsNotNoted() throws {
    for format in [WritableFormat.btsnoop(.uart), .btsnoop(.unencapsulated), .btsnoop(.monitor)] {
      #expect(try Walk(octets(format)).notes.isEmpty)
    }
  }

  /// Packets that are impossible in both ways tell nothing of the header.
  @Test func noise() throws {
    var random = SplitMix(state: 3)
    for datalink in [BtsnoopDatalink.uart, .unencapsulated] {
      var writer = CaptureWriter(format: .btsnoop(datalink))
      for index in 0..<200 {
        let noise = (0..<(4 + random.below(40))).map { _ in UInt8(random.below(256)) }
        writer.write(kind: .aclSent, time: midnight + Int64(index), octets: noise)
      }
      #expect(try Walk(writer.finish()).notes.allSatisfy { $0.kind != .otherFraming })
    }
  }

  @Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
  func theDamagedFileOfTheCorpus() throws {
    let damaged = Folder.corpus.path("damaged/wrong_datalink_1001.btsnoop")
    #expect(try Walk(captures(in: damaged)[0]).notes.contains { $0.kind == .otherFraming })
    for path in Folder.corpus.folder("captures").paths() {
      guard let source = try? captures(in: path).first, let walk = try? Walk(source) else { continue }
      #expect(walk.notes.allSatisfy { $0.kind != .otherFraming && $0.kind != .emptyRecords }, "\(path)")
    }
  }
}
