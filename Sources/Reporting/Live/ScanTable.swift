import BluetoothWire
import HealthProfiles

/// Writes what a scan has heard.
public struct ScanTable {
  private let terminal: Terminal
  /// Lines on the terminal that the next writing takes the place of.
  private var shown = 0

  public init(_ terminal: Terminal) { self.terminal = terminal }

  /// Writes the table over the one before; `limit` is how many lines there is room for.
  public mutating func redraw(_ devices: [ScannedDevice], limit: Int, to output: inout OutputBuffer) {
    if shown > 0 { output.append("\u{1B}[\(shown)A") }
    let sorted = devices.sorted(by: ScannedDevice.isBefore)
    let fitting = sorted.prefix(max(1, limit - 2))
    output.append("\u{1B}[J")
    write(head: devices, to: &output)
    for device in fitting { write(device, to: &output) }
    if sorted.count > fitting.count {
      output.append("… and \(sorted.count - fitting.count) more", as: .dim, on: terminal)
      output.newline()
    }
    shown = 1 + fitting.count + (sorted.count > fitting.count ? 1 : 0)
  }

  /// Writes the table once.
  public func write(_ devices: [ScannedDevice], to output: inout OutputBuffer) {
    write(head: devices, to: &output)
    for device in devices.sorted(by: ScannedDevice.isBefore) { write(device, to: &output) }
  }

  private func write(head devices: [ScannedDevice], to output: inout OutputBuffer) {
    let health = devices.count { $0.isHealthDevice }
    let text = "\(countText(devices.count, "device")), \(health) of them for health"
    output.append(text, as: .heading, on: terminal)
    output.newline()
  }

  private func write(_ device: ScannedDevice, to output: inout OutputBuffer) {
    var line = OutputBuffer()
    line.append(device.isHealthDevice ? "+ " : "  ")
    line.append(device.address.description, columns: 19)
    line.append(device.address.isRandom ? "random" : "public", columns: 8)
    line.append(device.signal.map { "\($0) dBm" } ?? "", columns: 9, alignment: .right)
    line.append("  ")
    line.append(device.isBonded.map { $0 ? "bonded" : "" } ?? "", columns: 8)
    let name = device.name.map { TextEscaping.terminal($0) } ?? ""
    let services = device.services.map(Self.title).joined(separator: ", ")
    if services.isEmpty { line.append(name) } else { line.append(name, columns: 22) }
    if !services.isEmpty { line.append(" " + services) }
    let text = terminal.isTerminal ? TextColumns.cut(line.text, to: max(40, terminal.width - 1)) : line.text
    output.append(text, as: device.isHealthDevice ? .plain : .dim, on: terminal)
    output.newline()
  }

  private static func title(_ service: BluetoothUUID) -> String {
    AssignedNumbers.name(of: service) ?? service.description
  }

  /// One object a line.
  public static func jsonLine(_ device: ScannedDevice, to output: OutputBuffer) -> OutputBuffer {
    var writer = JSONWriter(output)
    writer.beginObject()
    writer.member("schema", "racpscope/scan/1")
    writer.member("address", device.address.description)
    writer.member("address_type", device.address.isRandom ? "random" : "public")
    writer.key("name")
    if let name = device.name { writer.value(utf8: name) } else { writer.null() }
    writer.member("rssi", device.signal)
    writer.key("services")
    writer.beginArray()
    for service in device.services { writer.value(service.description) }
    writer.endArray()
    writer.member("health", device.isHealthDevice)
    writer.key("bonded")
    if let isBonded = device.isBonded { writer.value(isBonded) } else { writer.null() }
    writer.endObject()
    writer.endDocument()
    return writer.output
  }
}
