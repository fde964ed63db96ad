import CaptureFiles
import Testing

/// What was unpacked before a damage is read.
@Suite struct DamagedStreamTests {
  /// Octets that hardly compress, in few records.
  private let capture: [UInt8] = {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    var random = SplitMix(state: 11)
    for index in 0..<100 {
      writer.write(
        kind: .aclSent,
        time: midnight + Int64(index),
        octets: [0x40, 0, 36, 0] + (0..<36).map { _ in UInt8(random.below(256)) }
      )
    }
    return writer.finish()
  }()

  @Test(arguments: [PackedFixture.Form.gzip, .tarGzip])
  func aSmallStreamThatIsCut(_ form: PackedFixture.Form) throws {
    let packed = PackedFixture.pack(form, [("btsnoop_hci.log", capture)])
    #expect(packed.count < 65_536)
    let whole = try Walk(packed)
    #expect(whole.frames.count == 100 && whole.notes.isEmpty)
    let walk = try Walk(Array(packed.prefix(packed.count / 2)))
    #expect(walk.frames.count > 20 && walk.frames.count < 80)
    #expect(walk.frames == Array(whole.frames.prefix(walk.frames.count)))
    let note = try #require(walk.notes.first { $0.kind == .damagedArchive })
    #expect(note.amount > 1000 && note.amount < Int64(capture.count))
  }

  @Test func aZstandardStreamKeepsItsWholeBlocks() throws {
    let long = capture + Array(repeating: capture[16...], count: 60).flatMap { $0 }
    let packed = PackedFixture.pack(.zstd, [("data", long)])
    let whole = try Walk(packed)
    #expect(whole.frames.count == 6100 && !whole.notes.contains { $0.kind == .damagedArchive })
    for cut in [1, 2, 4, 6] {
      let walk = try Walk(Array(packed.dropLast(cut)))
      #expect(walk.frames == Array(whole.frames.prefix(walk.frames.count)), "\(cut)")
      #expect(walk.frames.count > 2000, "\(cut)")
      #expect(walk.notes.contains { $0.kind == .damagedArchive }, "\(cut)")
    }
  }

  /// A frame with sum and size, of two raw blocks (RFC 8878 3.1.1).
  @Test func aFrameWithoutItsSum() throws {
    let half = capture.count / 2
    func raw(_ octets: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
      let header = octets.count << 3 | (isLast ? 1 : 0)
      return [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)] + octets
    }
    let size = capture.count - 256
    let frame: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0x64, UInt8(size & 0xFF), UInt8(size >> 8)]
      + raw(capture[..<half], isLast: false) + raw(capture[half...], isLast: true) + [0, 0]
    let walk = try Walk(frame)
    #expect(walk.frames.count == 100)
    #expect(walk.notes.map(\.kind) == [.damagedArchive])
    let first = try Walk(Array(frame.dropLast(100)))
    // A raw block holds its octets as they are: what is there of it is read.
    #expect(first.frames == (try Walk(Array(capture.dropLast(98)))).frames && first.frames.count > 90)
    #expect(first.notes.map(\.kind) == [.damagedArchive])
  }

  @Test(arguments: [PackedFixture.Form.gzip, .zstd])
  func aLongStreamIsWhole(_ form: PackedFixture.Form) throws {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    var random = SplitMix(state: 5)
    for index in 0..<2000 {
      let octets = (0..<1000).map { _ in UInt8(random.below(256)) }
      writer.write(kind: .aclSent, time: midnight + Int64(index), octets: octets)
    }
    let packed = PackedFixture.pack(form, [("data", writer.finish())])
    #expect(packed.count > 1 << 20)
    let walk = try Walk(packed)
    #expect(walk.frames.count == 2000 && walk.notes.isEmpty)
    let cut = try Walk(Array(packed.prefix(packed.count / 2)))
    #expect(cut.frames.count > 800 && cut.notes.contains { $0.kind == .damagedArchive })
  }

  /// A block is there whole or not at all: the more of the stream is there, the more frames come.
  @Test func everyCutOfAZstandardStreamIsHandled() throws {
    let long = capture + Array(repeating: capture[16...], count: 60).flatMap { $0 }
    let whole = try Walk(long)
    let packed = PackedFixture.pack(.zstd, [("data", long)])
    var before = 0
    for count in stride(from: 0, to: packed.count, by: 7) {
      guard let walk = try? Walk(Array(packed.prefix(count))) else {
        #expect(before == 0)
        continue
      }
      #expect(walk.frames.count >= before && walk.frames.elementsEqual(whole.frames.prefix(walk.frames.count)))
      #expect(walk.notes.contains { $0.kind == .damagedArchive })
      before = walk.frames.count
    }
    #expect(before > 2000)
  }

  /// Deflate gives every octet before the cut, in a stream of its own and in an archive.
  @Test(arguments: [PackedFixture.Form.gzip, .zip, .tarGzip])
  func everyCutGivesWhatIsBeforeIt(_ form: PackedFixture.Form) throws {
    let whole = try Walk(capture)
    let packed = PackedFixture.pack(form, [("btsnoop_hci.log", capture)])
    var before = 0
    var grown = 0
    var lost = 0
    for count in 0..<packed.count {
      guard let found = try? captures(in: .memory(Array(packed.prefix(count)), name: "cut")), let first = found.first,
        let walk = try? Walk(first)
      else {
        if before > 0 { lost += 1 }
        continue
      }
      #expect(walk.frames.elementsEqual(whole.frames.prefix(walk.frames.count)))
      #expect(walk.frames.count >= before, "\(count)")
      if walk.frames.count > before { grown += 1 }
      before = walk.frames.count
      #expect(walk.frames.count == 100 || walk.notes.contains { $0.kind == .damagedArchive }, "\(count)")
    }
    #expect(before == 100 && grown > 50)
    // libarchive gives up a zip entry's last block where the 24 octets behind its data are cut.
    #expect(form == .zip ? lost <= 24 : lost == 0, "\(lost)")
  }

  @Test func aCutFirstBlockIsAnErrorThatSaysWhy() {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    for index in 0..<2000 {
      writer.write(kind: .command, time: midnight + Int64(index), octets: [0x03, 0x0C, 0x00])
    }
    let packed = PackedFixture.pack(.zstd, [("data", writer.finish())])
    for count in [5, 30, packed.count - 20] {
      let error = #expect(throws: CaptureError.self) {
        try captures(in: .memory(Array(packed.prefix(count)), name: "a.zst"))
      }
      let reason = "a.zst cannot be unpacked: the compressed data ends inside its first block"
      #expect(error?.message.hasPrefix(reason) == true)
    }
  }

  /// Not more of a long stream is lost than the block it is cut in.
  @Test func aLongZstandardStreamLosesOneBlock() throws {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    var random = SplitMix(state: 5)
    for index in 0..<2000 {
      // Half of it compresses, so that the blocks are compressed ones.
      var octets = (0..<500).map { _ in UInt8(random.below(256)) }
      octets += [UInt8](repeating: 7, count: 500)
      writer.write(kind: .aclSent, time: midnight + Int64(index), octets: octets)
    }
    let packed = PackedFixture.pack(.zstd, [("data", writer.finish())])
    #expect(packed.count > 600_000)
    let walk = try Walk(Array(packed.prefix(packed.count * 3 / 4)))
    #expect(walk.frames.count >= 1_500 - 1 - 131_072 / 1_024 && walk.frames.count <= 1_510)
    #expect(walk.notes.contains { $0.kind == .damagedArchive })
  }

  /// A stored block gives what is there of it.
  @Test func aStoredBlockIsReadUpToTheCut() throws {
    let size = capture.count - 256
    let header = capture.count << 3 | 1
    let frame: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0x60, UInt8(size & 0xFF), UInt8(size >> 8)]
      + [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)] + capture
    #expect(try Walk(frame).frames.count == 100)
    for cut in [1, 640, 3200] {
      let walk = try Walk(Array(frame.dropLast(cut)))
      #expect(walk.frames.count == 100 - (cut + 64) / 65, "\(cut)")
      #expect(walk.notes.map(\.kind) == [.damagedArchive])
    }
  }

  @Test func aSumThatDoesNotFit() throws {
    var packed = PackedFixture.pack(.gzip, [("data", capture)])
    packed[packed.count - 6] ^= 1
    let walk = try Walk(packed)
    #expect(walk.frames.count == 100)
    #expect(walk.notes.map(\.kind) == [.damagedArchive])
  }

  @Test func membersFollowEachOther() throws {
    let half = 16 + (capture.count - 16) / 2
    let packed =
      PackedFixture.pack(.gzip, [("a", Array(capture[..<half]))])
      + PackedFixture.pack(.gzip, [("b", Array(capture[half...]))]) + [0, 0, 0, 0]
    let walk = try Walk(packed)
    #expect(walk.frames.count == 100)
    #expect(walk.notes.isEmpty)
  }

  @Test func nothingAtAllIsAnError() {
    let packed = PackedFixture.pack(.gzip, [("data", capture)])
    for count in [2, 9, 10, 12] {
      let error = #expect(throws: CaptureError.self) {
        try captures(in: .memory(Array(packed.prefix(count)), name: "a.gz"))
      }
      #expect(error?.message == "a.gz cannot be read: the compressed data ends early.")
    }
  }

  @Test func aStreamOfNoCaptureIsNoArchive() {
    for form in [PackedFixture.Form.gzip, .zstd] {
      for content in [Array("hello world".utf8), []] {
        let packed = PackedFixture.pack(form, [("data", content)])
        let error = #expect(throws: CaptureError.self) { try captures(in: .memory(packed, name: "a")) }
        #expect(error?.message.contains("archive") == false)
      }
    }
  }

  @Test func threeArchivesInEachOther() {
    var packed = PackedFixture.pack(.zip, [("btsnoop_hci.log", capture)])
    for _ in 0..<2 { packed = PackedFixture.pack(.zip, [("inner.zip", packed)]) }
    let error = #expect(throws: CaptureError.self) { try captures(in: .memory(packed, name: "a.zip")) }
    #expect(error?.message == "a.zip: inner.zip: inner.zip is nested too deeply in other archives.")
  }
}
