import BluetoothWire
import HealthProfiles
import RecordCollector
import RecordStore

/// Records of a store for people, under one heading for each meter and each of its numberings.
struct StoreRecordsTable {
  private let terminal: Terminal
  private var device: StoredDevice?
  private var epoch: UInt32?
  private var devices = 0
  private var records = 0
  private var orphans = 0
  private var hasCarried = false
  private var hasConverted = false

  init(terminal: Terminal) { self.terminal = terminal }

  mutating func begin(_ device: StoredDevice, to output: inout OutputBuffer) {
    self.device = device
    epoch = nil
    if devices > 0 { output.newline() }
    devices += 1
    output.append(Self.heading(device), as: .heading, on: terminal)
    output.newline()
  }

  private static func heading(_ device: StoredDevice) -> String {
    let identity = device.identity
    var parts = [device.address.description]
    if let name = identity.name { parts.append(TextEscaping.terminal(name)) }
    let model = [identity.manufacturer, identity.model].compactMap { $0 }.joined(separator: " ")
    if !model.isEmpty { parts.append(TextEscaping.terminal(model)) }
    if let serial = identity.serial { parts.append("serial " + TextEscaping.terminal(serial)) }
    return parts.joined(separator: "  ")
  }

  private mutating func begin(epoch number: UInt32, to output: inout OutputBuffer) {
    guard number != epoch else { return }
    epoch = number
    if (device?.epochs.count ?? 0) > 1 {
      output.append("  epoch \(number)", as: .dim, on: terminal)
      output.newline()
    }
    let columns = "     no.  time                offset  mg/dL mmol/L  notes"
    output.append(columns, as: .dim, on: terminal)
    output.newline()
  }

  mutating func write(_ reading: StoredReading, to output: inout OutputBuffer) {
    begin(epoch: reading.stored.epoch, to: &output)
    records += 1
    output.append(String(reading.record.sequenceNumber), columns: 8, alignment: .right)
    output.append("  ")
    output.append((reading.time ?? reading.fields.baseTime)?.description ?? "", columns: 19)
    output.append(offset(reading), columns: 8, alignment: .right)
    writeConcentration(reading, to: &output)
    let notes = notes(reading)
    if !notes.isEmpty { output.append("  " + notes.joined(separator: ", ")) }
    output.newline()
  }

  mutating func write(_ orphan: StoredOrphan, to output: inout OutputBuffer) {
    begin(epoch: orphan.epoch, to: &output)
    orphans += 1
    output.append(String(orphan.context.sequenceNumber), columns: 8, alignment: .right)
    output.append(repeating: 0x20, count: 42)
    let notes = ["context without its record"] + Self.summary(orphan.context)
    output.append("  " + notes.joined(separator: ", "))
    output.newline()
  }

  private mutating func offset(_ reading: StoredReading) -> String {
    guard let offset = reading.record.offset else { return "" }
    if reading.isOffsetCarried { hasCarried = true }
    return (offset >= 0 ? "+" : "") + "\(offset)" + (reading.isOffsetCarried ? "*" : " ")
  }

  private mutating func writeConcentration(_ reading: StoredReading, to output: inout OutputBuffer) {
    guard let value = reading.fields.concentration else { return output.append(repeating: 0x20, count: 13) }
    if let special = value.float.special {
      return output.append(special.rawValue, columns: 13, alignment: .right)
    }
    hasConverted = true
    let isMass = value.unit == .kilogramsPerLitre
    let milligrams = value.text(in: .milligramsPerDecilitre)
    let millimoles = value.text(in: .millimolesPerLitre)
    output.append(isMass ? milligrams : "~" + milligrams, columns: 6, alignment: .right)
    output.append(isMass ? "~" + millimoles : millimoles, columns: 7, alignment: .right)
  }

  private func notes(_ reading: StoredReading) -> [String] {
    var notes: [String] = []
    if reading.stored.variant > 0 { notes.append("other content \(reading.stored.variant) under this number") }
    if reading.fields.baseTime?.isValid == false { notes.append("no valid time") }
    if reading.fields.missing > 0 { notes.append("undecoded: " + hex(reading.record.value)) }
    if let type = reading.fields.type { notes.append(type.name) }
    if let location = reading.fields.location, location != .notAvailable { notes.append(location.name) }
    notes += reading.statusNames
    for context in reading.record.contexts { notes += Self.summary(context) }
    if reading.record.contextIsMissing { notes.append("its context never came") }
    return notes
  }

  private static func summary(_ context: CollectedContext) -> [String] {
    let decoded = unsafe RecordContext(context.value.span.bytes)
    return decoded?.summary ?? ["undecoded context: " + hex(context.value)]
  }

  /// Ends the table: how many there were, and what the marks mean.
  func finish(to output: inout OutputBuffer) {
    if records + orphans > 0 { output.newline() }
    var text = records == 1 ? "1 record" : "\(records) records"
    if devices > 1 { text += " of \(devices) meters" }
    if orphans > 0 { text += orphans == 1 ? ", 1 context without record" : ", \(orphans) contexts without record" }
    output.append(text + ".\n")
    var legend: [String] = []
    if hasConverted { legend.append("~ converted with 18.02 mg/dL per mmol/L") }
    if hasCarried { legend.append("* offset (minutes) of the record before in its report") }
    guard !legend.isEmpty else { return }
    output.append(legend.joined(separator: "; "), as: .dim, on: terminal)
    output.newline()
  }
}
