import BluetoothWire
import LinkTrace
import Testing

/// BlueZ's cache of a device (BlueZ src/settings.c).
@Suite struct BlueZCacheFileTests {
  private static let text = """
    [General]
    Name=GM-1 0001

    [ServiceRecords]

    [Attributes]
    0001=2800:0005:1800
    0002=2803:0003:02:00002a00-0000-1000-8000-00805f9b34fb
    0006=2800:000d:1801
    0007=2803:0008:20:2a05
    0009=2902
    000a=2803:000b:02:000102030405060708090a0b0c0d0e0f:2b2a
    0019=2800:0024:1808
    001a=2803:001b:10:00002a18-0000-1000-8000-00805f9b34fb
    001c=00002902-0000-1000-8000-00805f9b34fb
    001d=0001:2900
    0020=2802:0001:0005:1800
    0021=2801:0030:f000ffc0-0451-4000-b000-000000000000
    """

  private func databases(_ text: String, name: String = "cache") throws -> [SuppliedDatabase] {
    try CacheFile.databases(in: Array(text.utf8), name: name)
  }

  @Test func everyKindOfLine() throws {
    let found = try databases(Self.text)
    #expect(found.count == 1)
    let database = try #require(found.first?.database)
    #expect(found.first?.device == nil)
    #expect(
      database[0x0019]
        == Attribute(
          handle: 0x19,
          kind: .primaryService,
          type: BluetoothUUID(0x1808),
          groupEnd: 0x24,
          provenance: .supplied
        )
    )
    #expect(database[0x001A]?.groupEnd == 0x1B)
    #expect(
      database[0x001B]
        == Attribute(handle: 0x1B, kind: .value, type: BluetoothUUID(0x2A18), properties: 0x10, provenance: .supplied)
    )
    #expect(database.subscriptionHandle(ofValue: 0x1B) == 0x1C)
    #expect(database[0x001D]?.type == BluetoothUUID(0x2900))
    #expect(database[0x0020]?.kind == .include)
    #expect(database[0x0021]?.kind == .secondaryService)
    #expect(database[0x0021]?.type.description == "F000FFC0-0451-4000-B000-000000000000")
    #expect(database.hash == 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100)
  }

  @Test func theFileNameIsTheDevice() throws {
    let found = try databases(Self.text, name: "/var/lib/bluetooth/00:00:5E:00:53:A1/cache/F0:0D:CA:FE:00:01")
    #expect(found.map { $0.device?.value } == [0xF00D_CAFE_0001, 0xF00D_CAFE_0001])
    #expect(found.map { $0.device?.isRandom } == [false, true])
  }

  @Test(arguments: [
    ("[Attributes]\n0001=2800:0005\n", 2), ("[Attributes]\n0005=2800:0001:1800\n", 2),
    ("[Attributes]\n\nxyz=2800:0005:1800", 3), ("[Attributes]\n0002=2803:0002:02:2a00", 2),
    ("[Attributes]\n0002=2803:0003:1ff:2a00", 2), ("[Attributes]\n0000=2902", 2), ("[Attributes\n", 1),
    ("[Attributes]\n0002", 2), ("[Attributes]\n0001=9:9:9:9:9:1800", 2),
  ])
  func aWrongLineIsNamed(_ text: String, _ line: Int) {
    let error = #expect(throws: CacheFileError.self) { try databases(text) }
    #expect(error?.position?.line == line)
    #expect(error?.message(file: "cache").hasPrefix("cache, line \(line), column 1: ") == true)
  }

  @Test(arguments: ["[General]\nName=x\n", "[Attributes]\n"])
  func noAttributes(_ text: String) {
    let error = #expect(throws: CacheFileError.self) { try databases(text) }
    #expect(error?.position == nil)
    #expect(error?.hint.contains("main.conf") == true)
  }
}
