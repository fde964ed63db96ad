/// One adapter as `racpscope adapters` shows it.
public struct AdapterLine: Sendable {
  public var name: String
  public var address: String
  public var bus: String
  /// The Bluetooth version, `5.3`; nil where it is not known.
  public var version: String?
  /// `on`, `off`, or what is known.
  public var power: String
  public var hasLowEnergy: Bool?
  /// What other devices see it as.
  public var alias: [UInt8]

  public init(
    name: String,
    address: String,
    bus: String,
    version: String?,
    power: String,
    hasLowEnergy: Bool?,
    alias: [UInt8]
  ) {
    self.name = name
    self.address = address
    self.bus = bus
    self.version = version
    self.power = power
    self.hasLowEnergy = hasLowEnergy
    self.alias = alias
  }
}

/// Writes the adapters of a machine.
public enum AdapterTable {
  public static func text(_ adapters: [AdapterLine], _ terminal: Terminal, to output: inout OutputBuffer) {
    for adapter in adapters {
      output.append(adapter.name, columns: 7)
      output.append(adapter.address, columns: 19)
      output.append(adapter.power, as: adapter.power == "on" ? .good : .warning, on: terminal)
      output.append(repeating: 0x20, count: max(1, 5 - adapter.power.utf8.count))
      var facts = [adapter.version.map { "Bluetooth \($0)" } ?? "Bluetooth", adapter.bus]
      switch adapter.hasLowEnergy {
      case true?: facts.append("Low Energy")
      case false?: facts.append("no Low Energy")
      case nil: break
      }
      if !adapter.alias.isEmpty { facts.append("\"\(TextEscaping.terminal(adapter.alias))\"") }
      output.append(facts.joined(separator: ", "))
      output.newline()
    }
  }

  /// One object a line.
  public static func jsonLines(_ adapters: [AdapterLine], to output: OutputBuffer) -> OutputBuffer {
    var writer = JSONWriter(output)
    for adapter in adapters {
      writer.beginObject()
      writer.member("schema", "racpscope/adapter/1")
      writer.member("adapter", adapter.name)
      writer.member("address", adapter.address)
      writer.member("bus", adapter.bus)
      writer.member("version", adapter.version)
      writer.member("power", adapter.power)
      writer.key("low_energy")
      if let hasLowEnergy = adapter.hasLowEnergy { writer.value(hasLowEnergy) } else { writer.null() }
      writer.member("alias", utf8: adapter.alias)
      writer.endObject()
      writer.endDocument()
    }
    return writer.output
  }
}
