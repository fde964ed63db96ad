import BluetoothWire
import LinkTrace

/// Writes attribute tables as one JSON document of the schema `racpscope/gatt/1`; `--gatt` reads it.
public struct GattJSON: Sendable {
  public static let schema = "racpscope/gatt/1"

  private var writer: JSONWriter

  /// The document goes to `output`.
  public init(_ output: OutputBuffer) { writer = JSONWriter(output, layout: .indented) }

  /// Writes the document and gives the output back.
  public consuming func write(_ tables: [GattTable]) -> OutputBuffer {
    writer.beginObject()
    writer.member("schema", Self.schema)
    writer.key("devices")
    writer.beginArray()
    for table in tables { write(table) }
    writer.endArray()
    writer.endObject()
    writer.endDocument()
    return writer.output
  }

  private mutating func write(_ table: GattTable) {
    writer.beginObject()
    writer.member("address", table.address?.description)
    writer.member("addressType", table.address?.kind.rawValue)
    if let name = table.name {
      writer.member("name", utf8: name)
    } else {
      writer.member("name", nil as String?)
    }
    writer.member("server", table.server.rawValue)
    writer.member("adapter", table.adapter)
    writer.key("links")
    writer.beginArray()
    for link in table.links { writer.value(link) }
    writer.endArray()
    writer.member("databaseHash", table.hashOctets.map { hex($0) })
    writer.key("attributes")
    writer.beginArray()
    for entry in table.entries { write(entry) }
    writer.endArray()
    writer.endObject()
  }

  private mutating func write(_ entry: GattEntry) {
    writer.beginObject()
    writer.member("handle", entry.handle)
    writer.member("kind", entry.attribute?.kind.rawValue)
    writer.member("uuid", entry.type?.description)
    writer.member("name", entry.name)
    writer.key("properties")
    writer.beginArray()
    for word in entry.properties { writer.value(word) }
    writer.endArray()
    writer.member("provenance", entry.provenance.name)
    let end = entry.attribute?.groupEnd ?? 0
    writer.member("groupEnd", end == 0 ? nil : end)
    writer.member("reads", entry.reads)
    writer.member("writes", entry.writes)
    writer.member("notifications", entry.notifications)
    writer.member("indications", entry.indications)
    writer.endObject()
  }
}
