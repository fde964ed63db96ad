import BluetoothWire
import LinkTrace
import Testing

/// The JSON of the `gatt` command as `--gatt` reads it.
@Suite struct ReportedDatabasesTests {
  private func databases(_ text: String) throws -> [SuppliedDatabase] {
    try CacheFile.databases(in: Array(text.utf8), name: "gatt.json")
  }

  private func file(_ attributes: String, address: String = "\"F0:0D:CA:FE:00:01\"", server: String = "peer") -> String
  {
    """
    {"schema": "racpscope/gatt/1", "devices": [{"address": \(address), "addressType": "random static",
      "server": "\(server)", "attributes": [\(attributes)]}]}
    """
  }

  private let measurement = """
    {"handle": 27, "kind": "value", "uuid": "2A18", "properties": ["notify"], "provenance": "discovered"}
    """

  @Test func attributes() throws {
    let found = try databases(
      file(
        measurement
          + """
          , {"handle": 25, "kind": "primary service", "uuid": "1808", "provenance": "remembered", "groupEnd": 36}
          , {"handle": 35, "kind": "value", "uuid": "2A52", "provenance": "inferred", "groupEnd": null}
          , {"handle": 64, "kind": null, "uuid": null, "provenance": "unnamed", "writes": 3}
          """
      )
    )
    #expect(found.count == 1)
    #expect(found.first?.device == DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true))
    let database = try #require(found.first?.database)
    #expect(database.attributes.map { $0.handle } == [25, 27, 35])
    #expect(database[27]?.properties == 0x10)
    #expect(database[27]?.provenance == .supplied)
    #expect(database[25]?.groupEnd == 36)
    #expect(database[35]?.provenance == .inferred)
  }

  @Test func aDeviceWithoutAddressFitsEveryPeer() throws {
    let found = try databases(file(measurement, address: "null"))
    #expect(found.count == 1)
    #expect(found.first?.device == nil)
  }

  @Test func theLocalServerIsNoPeer() {
    let error = #expect(throws: CacheFileError.self) { try databases(file(measurement, server: "local")) }
    #expect(error?.reason == "it names no attribute of any peer.")
  }

  @Test(arguments: [
    ("{", 1, 2), ("{\"a\": 1,}", 1, 9), ("{\"a\": 01}", 1, 7), ("{\"a\": \"\\x\"}", 1, 8), ("{\"a\"\n:\n+1}", 3, 1),
    ("{\"a\": [1 2]}", 1, 10), ("{} {}", 1, 4), ("{\"a\": 1, \"a\": 2}", 1, 10), ("{\"a\": \"\\ud800\"}", 1, 8),
    ("{\"a\": tru}", 1, 7), ("{\"a\": \"\u{1}\"}", 1, 8), ("{\"a\": \"x", 1, 7), ("{\"a\": 1.}", 1, 9),
    ("{1: 2}", 1, 2),
  ])
  func wrongJSONIsPlaced(_ text: String, _ line: Int, _ column: Int) {
    let error = #expect(throws: CacheFileError.self) { try databases(text) }
    #expect(error?.position == CacheFileError.Position(line: line, column: column), "\(text)")
  }

  @Test func depthIsBounded() {
    let error = #expect(throws: CacheFileError.self) {
      try databases("{\"a\": " + String(repeating: "[", count: 100_000))
    }
    #expect(error?.reason.contains("nested") == true)
  }

  @Test(arguments: [
    ("{}", "it has no \"schema\"."), ("{\"schema\": 1}", "it has no \"schema\"."),
    ("{\"schema\": \"racpscope/gatt/2\"}", "its schema is \"racpscope/gatt/2\", and racpscope/gatt/1 is needed."),
    ("{\"schema\": \"racpscope/gatt/1\", \"devices\": {}}", "\"devices\" is an object and not an array."),
  ])
  func wrongSchema(_ text: String, _ reason: String) {
    let error = #expect(throws: CacheFileError.self) { try databases(text) }
    #expect(error?.reason == reason)
  }

  @Test(arguments: [
    "{\"handle\": 0, \"uuid\": \"2A18\", \"kind\": \"value\"}",
    "{\"handle\": 65536, \"uuid\": \"2A18\", \"kind\": \"value\"}",
    "{\"handle\": 1.5, \"uuid\": \"2A18\", \"kind\": \"value\"}", "{\"uuid\": \"2A18\", \"kind\": \"value\"}",
    "{\"handle\": 1, \"uuid\": \"2A1\", \"kind\": \"value\"}",
    "{\"handle\": 1, \"uuid\": \"2A18\", \"kind\": \"thing\"}",
    "{\"handle\": 1, \"uuid\": \"2A18\", \"kind\": \"value\", \"properties\": [\"fly\"]}",
    "{\"handle\": 1, \"uuid\": \"2A18\", \"kind\": \"value\", \"properties\": 5}",
  ])
  func wrongAttributesArePlaced(_ attribute: String) {
    let error = #expect(throws: CacheFileError.self) { try databases(file(attribute)) }
    #expect(error?.position != nil)
    #expect(error?.hint.isEmpty == false)
  }

  @Test(arguments: ["", " \n\t", "\u{7F}ELF", "0001=2800:0005:1800"])
  func otherFiles(_ text: String) {
    let error = #expect(throws: CacheFileError.self) { try databases(text) }
    #expect(error?.position == nil)
    #expect(error?.hint.contains("racpscope gatt --format json") == true)
  }

  /// Core Vol 3 Part H D.7: the hash of prand 708194 under the sample key is 0DFBAA.
  @Test func aResolvableAddressFromAKey() {
    let key: [UInt8] = [
      0x9B, 0x7D, 0x39, 0x0A, 0xA6, 0x10, 0x10, 0x34, 0x05, 0xAD, 0xC8, 0x57, 0xA3, 0x34, 0x02, 0xEC,
    ]
    #expect(
      DeviceAddress.resolvable(key: key, random: 0x708194) == DeviceAddress(value: 0x7081_940D_FBAA, isRandom: true)
    )
    #expect(DeviceAddress.resolvable(key: [], random: 1) == nil)
  }
}
