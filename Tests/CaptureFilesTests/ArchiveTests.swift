import CaptureFiles
import Testing

@Suite struct ArchiveTests {
  private let snoop = written(.btsnoop(.uart))

  @Test func bugReportInPlaceWithLastFirst() throws {
    let logs = "FS/data/misc/bluetooth/logs/"
    let zip = PackedFixture.pack(
      .zip,
      [
        ("main_entry.txt", Array("bugreport.txt".utf8)), (logs + "btsnoop_hci.log", snoop),
        (logs + "btsnoop_hci.log.last", GoldenCapture.octets), ("FS/data/other.bin", [1, 2, 3]),
        (logs + "btsnoop_broken.cfa", [9, 9, 9]),
      ]
    )
    try withFile("bugreport.zip", zip) { path in
      let found = try captures(in: path)
      #expect(
        found.map(\.name) == [path + ": " + logs + "btsnoop_hci.log.last", path + ": " + logs + "btsnoop_hci.log"]
      )
      #expect(found[0].passedOver.map(\.kind) == [.notACapture])
      let last = try Walk(found[0])
      #expect(last.frames.count == 37)
      #expect(last.notes == [CaptureNote(.skippedPart, frame: 0)])
      #expect(try Walk(found[1]).frames.count == 4)
    }
  }

  @Test func zipInsideZipAndNoDeeper() throws {
    let inner = PackedFixture.pack(.zip, [("FS/data/log/bt/btsnoop_hci.log", snoop)])
    let outer = PackedFixture.pack(.zip, [("dumpState.zip", inner)])
    let found = try captures(in: .memory(outer, name: "outer.zip"))
    #expect(found.map(\.name) == ["outer.zip: dumpState.zip: FS/data/log/bt/btsnoop_hci.log"])
    #expect(try Walk(found[0]).frames.count == 4)
    let third = PackedFixture.pack(.zip, [("third.zip", outer)])
    #expect(throws: CaptureError.self) { try captures(in: .memory(third, name: "third.zip")) }
  }

  @Test func sysdiagnose() throws {
    let tar = PackedFixture.pack(
      .tarGzip,
      [
        ("sysdiagnose/readme.txt", [0x41]),
        ("sysdiagnose/logs/Bluetooth/bluetoothd-hci-latest.pklg", written(.packetLogger())),
      ]
    )
    let found = try captures(in: .memory(tar, name: "sysdiagnose.tar.gz"))
    #expect(found.count == 1)
    #expect(found[0].format == .packetLogger(bigEndian: true))
    #expect(try Walk(found[0]).frames.count == 4)
  }

  @Test func compressedStreams() throws {
    for form in [PackedFixture.Form.gzip, .zstd] {
      #expect(try Walk(PackedFixture.pack(form, [("data", snoop)])).frames.count == 4)
    }
    let packed = PackedFixture.pack(.gzip, [("data", snoop)])
    let zip = PackedFixture.pack(.zip, [("logs/btsnoop_hci.log.gz", packed)])
    #expect(try Walk(captures(in: .memory(zip, name: "z"))[0]).frames.count == 4)
  }

  @Test func damagedArchivesNeverTrap() {
    var writer = CaptureWriter(format: .btsnoop(.uart))
    var random = SplitMix(state: 7)
    for index in 0..<2000 {
      let octets = (0..<40).map { _ in UInt8(random.below(256)) }
      writer.write(kind: .aclSent, time: midnight + Int64(index), octets: octets)
    }
    let forms: [PackedFixture.Form] = [.gzip, .zstd, .zip, .tarGzip]
    var damaged = 0
    for form in forms {
      let packed = PackedFixture.pack(form, [("btsnoop_hci.log", writer.finish())])
      for _ in 0..<20 {
        var changed = Array(packed.prefix(1 + random.below(packed.count)))
        changed[random.below(changed.count)] ^= 0x10
        if let walk = try? Walk(changed), walk.notes.contains(where: { $0.kind == .damagedArchive }) { damaged += 1 }
      }
    }
    #expect(damaged > 0)
  }

  @Test func aCaptureUnderAnyNameIsFoundWhereThereIsNoOther() throws {
    let zip = PackedFixture.pack(
      .zip,
      [("readme.txt", [0x41]), ("a.log", snoop), ("notes", [1, 2, 3]), ("bt.bin", snoop)]
    )
    #expect(try captures(in: .memory(zip, name: "z")).map(\.name) == ["z: a.log", "z: bt.bin"])
    let named = PackedFixture.pack(.zip, [("a.log", snoop), ("btsnoop_hci.log", snoop)])
    #expect(try captures(in: .memory(named, name: "z")).map(\.name) == ["z: btsnoop_hci.log"])
  }

  @Test func archiveWithoutCapture() {
    let zip = PackedFixture.pack(.zip, [("readme.txt", [0x41])])
    let error = #expect(throws: CaptureError.self) { try captures(in: .memory(zip, name: "z.zip")) }
    #expect(error?.kind == .notACapture)
  }
}
