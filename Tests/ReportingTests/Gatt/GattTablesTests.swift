import BluetoothWire
import CaptureFiles
import LinkTrace
import Reporting
import Scenarios
import Testing

/// The engine of the `gatt` command.
@Suite struct GattTablesTests {
  private func tables(_ capture: [UInt8], supplied: [SuppliedDatabase] = []) throws -> [GattTable] {
    var tracker = LinkTracker()
    tracker.memory.supplied = supplied
    var tables = GattTables()
    var reader = try CaptureReader.open(.memory(capture, name: "scenario"))
    tracker.read(&reader, into: &tables)
    tracker.finish(into: &tables)
    return tables.tables
  }

  private func json(_ tables: [GattTable]) -> [UInt8] { GattJSON(OutputBuffer()).write(tables).octets }

  @Test func aDiscoveredTable() throws {
    let tables = try tables(Scenario.firstSync().capture())
    #expect(tables.count == 1)
    let table = try #require(tables.first)
    #expect(table.server == .peer)
    #expect(table.address == DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true))
    #expect(table.name.map { String(decoding: $0, as: UTF8.self) } == "GM-1 0001")
    #expect(table.links == [1])
    let measurement = try #require(table.entries.first { $0.handle == 0x1B })
    #expect(measurement.name == "Glucose Measurement")
    #expect(measurement.properties == ["notify"])
    #expect(measurement.provenance == .discovered)
    #expect(measurement.notifications == 30)
    let service = try #require(table.entries.first { $0.handle == 0x19 })
    #expect(service.attribute?.groupEnd == 0x24)
    #expect(table.entries.map { $0.handle } == table.entries.map { $0.handle }.sorted())
  }

  @Test func theSensorsOwnServer() throws {
    let tables = try tables(Scenario.firstSync().capture(Rendering(side: .sensor)))
    let own = try #require(tables.first { $0.server == .local })
    #expect(own.entries.first { $0.handle == 0x1B }?.name == "Glucose Measurement")
    #expect(own.adapter == 0)
  }

  @Test func handlesWithoutDiscovery() throws {
    let tables = try tables(Scenario.incrementalSync().capture())
    let table = try #require(tables.first)
    #expect(table.entries.first { $0.handle == 0x1B }?.provenance == .inferred)
    #expect(table.entries.first { $0.handle == 0x23 }?.name == "Record Access Control Point")
    var output = OutputBuffer()
    GattText(Terminal.behind(descriptor: -1)).write(tables, to: &output)
    #expect(output.text.contains("inferred"))
    #expect(!output.text.contains("discovered"))
  }

  @Test func anUnnamedHandleIsListedWithItsTraffic() throws {
    let scenario = Scenario(
      "vendor",
      [.connect(), .notify(.handle(0x0040), [1, 2, 3]), .write(.handle(0x0042), [9, 9, 9]), .accept]
    )
    let tables = try tables(scenario.capture())
    let table = try #require(tables.first)
    #expect(table.entries.map { $0.handle } == [0x40, 0x42])
    #expect(table.entries.allSatisfy { $0.attribute == nil })
    #expect(table.entries.first?.notifications == 1)
    #expect(table.entries.last?.writes == 1)
    var output = OutputBuffer()
    GattText(Terminal.behind(descriptor: -1)).write(tables, to: &output)
    #expect(output.text.contains("2 handles were used and are not named"))
    let text = String(decoding: json(tables), as: UTF8.self)
    #expect(text.contains("\"provenance\": \"unnamed\""))
    #expect(text.contains("\"uuid\": null"))
  }

  @Test func whatIsWrittenCanBeSupplied() throws {
    let discovered = try tables(Scenario.firstSync().capture())
    let supplied = try CacheFile.databases(in: json(discovered), name: "gatt.json")
    #expect(supplied.count == 1)
    #expect(supplied.first?.device == discovered.first?.address)
    #expect(
      supplied.first?.database.attributes.map { $0.handle }
        == discovered.first?.entries.filter { $0.attribute != nil }.map { $0.handle }
    )
    let named = try tables(Scenario.incrementalSync().capture(), supplied: supplied)
    #expect(named.first?.entries.first { $0.handle == 0x1B }?.provenance == .supplied)
  }

  private static func attribute(_ handle: Int, _ kind: String, _ uuid: String, _ properties: [String] = []) -> String {
    let words = properties.map { "\"\($0)\"" }.joined(separator: ",")
    let end = kind == "primary service" ? "\(handle + 5)" : "null"
    return "{\"handle\":\(handle),\"kind\":\"\(kind)\",\"uuid\":\"\(uuid)\","
      + "\"properties\":[\(words)],\"groupEnd\":\(end)}"
  }

  @Test(arguments: [40, 60, 80, 100, 132])
  func aTableFitsTheTerminal(_ width: Int) throws {
    let every = [
      "broadcast", "read", "write without response", "write", "notify", "indicate", "signed write",
      "extended properties",
    ]
    let attributes = [
      Self.attribute(0x60, "primary service", "1811"), Self.attribute(0x70, "primary service", "FEE0"),
      Self.attribute(0x71, "characteristic", "2A04", ["read"]), Self.attribute(0x72, "value", "2A04", ["read"]),
      Self.attribute(0x80, "primary service", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"),
      Self.attribute(0x81, "characteristic", "2A2A", every), Self.attribute(0x82, "value", "2A2A", every),
      Self.attribute(0x83, "descriptor", "2902"),
    ]
    let file =
      "{\"schema\":\"racpscope/gatt/1\",\"devices\":[{\"address\":\"F0:0D:CA:FE:00:01\",\"addressType\":"
      + "\"random static\",\"server\":\"peer\",\"attributes\":[\(attributes.joined(separator: ","))]}]}"
    let supplied = try CacheFile.databases(in: Array(file.utf8), name: "gatt.json")
    var terminal = Terminal(width: width)
    terminal.isTerminal = true
    var output = OutputBuffer()
    GattText(terminal).write(try tables(Scenario.incrementalSync().capture(), supplied: supplied), to: &output)
    let lines = output.text.split(separator: "\n").map(String.init)
    // A long UUID and a long name are whole in any case.
    #expect(lines.dropFirst().allSatisfy { TextColumns.count($0) <= max(width, 70) && !$0.hasSuffix(" ") }, "\(lines)")
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains(every.joined(separator: ", ")), "\(lines)")
    #expect(text.contains("Peripheral Preferred Connection Parameters"))
    #expect(text.contains("Alert Notification 1811") && text.contains("0x0075 service FEE0"), "\(lines)")
    #expect(text.contains("vendor's service 6E400001"))
    #expect(!text.contains("…"))
  }

  @Test func textOfADiscoveredTable() throws {
    var output = OutputBuffer()
    GattText(Terminal.behind(descriptor: -1)).write(try tables(Scenario.firstSync().capture()), to: &output)
    let lines = output.text.split(separator: "\n").map(String.init)
    #expect(lines.first == "F0:0D:CA:FE:00:01, random static, \"GM-1 0001\", link 1")
    #expect(lines.contains("  0x0019–0x0024  Glucose  1808"))
    #expect(lines.contains { $0.contains("0x001B") && $0.hasSuffix("discovered  30 notifications") }, "\(lines)")
  }
}
