import BluetoothWire
import LinkTrace

/// Writes attribute tables for people: a heading for each server, a line for each service, value, descriptor and for
/// each handle that was used without a name.
public struct GattText: Sendable {
  private let terminal: Terminal

  public init(_ terminal: Terminal) { self.terminal = terminal }

  public func write(_ tables: [GattTable], to output: inout OutputBuffer) {
    if tables.isEmpty { output.append("No attribute of any server was discovered or used.\n") }
    for (index, table) in tables.enumerated() {
      if index > 0 { output.newline() }
      heading(table, &output)
      // A declaration says nothing that its value's line does not say.
      let shown = table.entries.filter { $0.attribute?.kind != .characteristic }
      let columns = columns(shown)
      for entry in shown { line(entry, columns, &output) }
      let lacking = table.entries.filter { $0.attribute == nil }.count
      if lacking > 0 {
        let text =
          lacking == 1
          ? "1 handle was used and is not named: its discovery is not in the capture. Name it with --gatt FILE."
          : "\(lacking) handles were used and are not named: their discovery is not in the capture."
            + " Name them with --gatt FILE."
        let width = terminal.isTerminal ? terminal.width - 2 : Int.max
        for line in StoryParagraph.lines(text, width: width) { output.append("  " + line + "\n") }
      }
    }
  }

  private func heading(_ table: GattTable, _ output: inout OutputBuffer) {
    output.begin(.heading, on: terminal)
    if table.server == .local { output.append("This host's own server, hci\(table.adapter)") }
    if let address = table.address {
      if table.server == .local { output.append(", ") }
      output.append(address.description + ", " + address.kind.rawValue)
    } else if table.server == .peer {
      output.append("A peer whose address is not in the capture")
    }
    output.end(.heading, on: terminal)
    if let name = table.name {
      output.append(", \"")
      output.append(escaped: name)
      output.append("\"")
    }
    output.append(table.links.count == 1 ? ", link " : ", links ")
    output.append(Self.ranges(table.links))
    output.newline()
    if let hash = table.hashOctets { output.append("  Database Hash " + hex(hash) + "\n") }
  }

  /// `1–3, 7`.
  private static func ranges(_ numbers: [UInt32]) -> String {
    var parts: [ClosedRange<UInt32>] = []
    for number in numbers {
      if let last = parts.last, number == last.upperBound &+ 1 {
        parts[parts.count - 1] = last.lowerBound...number
      } else {
        parts.append(number...number)
      }
    }
    return parts.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
      .joined(separator: ", ")
  }

  private func line(_ entry: GattEntry, _ columns: GattColumns, _ output: inout OutputBuffer) {
    let kind = entry.attribute?.kind
    var line = WrappedLine(columns.limit, indent: 12)
    line.append("  0x" + hex(UInt64(entry.handle), digits: 4))
    if let attribute = entry.attribute, attribute.kind.isService {
      line.append("–0x" + hex(UInt64(max(attribute.groupEnd, attribute.handle)), digits: 4), gap: 0)
      line.append(serviceName(entry) + suffix(kind), gap: 2, as: .heading)
      line.append(attribute.type.description, gap: 2)
      if entry.provenance != .discovered { line.append(entry.provenance.name, gap: 2) }
      return line.write(to: &output, on: terminal)
    }
    line.append(Self.indented(title(entry), kind), gap: columns.gap, columns: columns.title)
    line.append(short(entry), gap: 1, columns: 5)
    line.append(entry.properties.joined(separator: ", "), gap: 0, columns: columns.properties)
    line.append(entry.provenance.name, gap: 1, columns: 10, as: entry.provenance <= .inferred ? .warning : .plain)
    line.append(usage(entry), gap: 2)
    line.write(to: &output, on: terminal)
  }

  private func columns(_ entries: [GattEntry]) -> GattColumns {
    let values = entries.filter { !($0.attribute?.kind.isService ?? false) }
    return GattColumns(
      titles: values.map { Self.indented(title($0), $0.attribute?.kind) },
      properties: values.map { $0.properties.joined(separator: ", ") },
      on: terminal
    )
  }

  private static func indented(_ title: String, _ kind: Attribute.Kind?) -> String {
    (kind == .descriptor ? "    " : "  ") + title
  }

  /// A short UUID is the SIG's or a member's; only a long one is a vendor's own.
  private func serviceName(_ entry: GattEntry) -> String {
    entry.name ?? (entry.type?.short == nil ? "vendor's service" : "service")
  }

  private func suffix(_ kind: Attribute.Kind?) -> String { kind == .secondaryService ? " (secondary)" : "" }

  private func title(_ entry: GattEntry) -> String {
    if entry.attribute?.kind == .include { return "includes " + serviceName(entry) }
    return entry.name ?? entry.type?.description ?? "not named"
  }

  /// The 16-bit UUID; a long one stands in the title.
  private func short(_ entry: GattEntry) -> String {
    entry.type?.short == nil ? "" : entry.type?.description ?? ""
  }

  private func usage(_ entry: GattEntry) -> String {
    let counts = [
      (entry.reads, "read", "reads"), (entry.writes, "write", "writes"),
      (entry.notifications, "notification", "notifications"), (entry.indications, "indication", "indications"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) " + ($0.0 == 1 ? $0.1 : $0.2) }
    return words.joined(separator: ", ")
  }
}
