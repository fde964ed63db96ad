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
      for entry in table.entries where entry.attribute?.kind != .characteristic { line(entry, &output) }
      let lacking = table.entries.filter { $0.attribute == nil }.count
      if lacking > 0 {
        output.append(
          lacking == 1
            ? "  1 handle was used and is not named: its discovery is not in the capture. Name it with --gatt FILE.\n"
            : "  \(lacking) handles were used and are not named: their discovery is not in the capture."
              + " Name them with --gatt FILE.\n"
        )
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

  private func line(_ entry: GattEntry, _ output: inout OutputBuffer) {
    let kind = entry.attribute?.kind
    output.append("  ")
    output.append(hex: UInt64(entry.handle), width: 4)
    if let attribute = entry.attribute, attribute.kind.isService {
      output.append("–")
      output.append(hex: UInt64(max(attribute.groupEnd, attribute.handle)), width: 4)
      output.append("  ")
      output.append((entry.name ?? "vendor's service") + suffix(kind), as: .heading, on: terminal)
      output.append("  " + attribute.type.description)
      if entry.provenance != .discovered { output.append("  " + entry.provenance.name) }
      output.newline()
      return
    }
    output.append("         ")
    let indent = kind == .descriptor ? "    " : "  "
    output.append(indent + title(entry), columns: 42)
    output.append(" ")
    output.append(short(entry), columns: 5)
    output.append(entry.properties.joined(separator: ", "), columns: 28)
    output.append(" ")
    let role: TextRole = entry.provenance <= .inferred ? .warning : .plain
    output.begin(role, on: terminal)
    output.append(entry.provenance.name, columns: 11)
    output.end(role, on: terminal)
    output.append(usage(entry))
    output.newline()
  }

  private func suffix(_ kind: Attribute.Kind?) -> String { kind == .secondaryService ? " (secondary)" : "" }

  private func title(_ entry: GattEntry) -> String {
    if entry.attribute?.kind == .include { return "includes " + (entry.name ?? "a vendor's service") }
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
    return words.isEmpty ? "" : " " + words.joined(separator: ", ")
  }
}
