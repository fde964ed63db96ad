import BluetoothWire
import HealthProfiles
import LinkTrace

/// Records as an aligned table for people, under one heading for each device and each procedure.
struct RecordsTable {
  private let terminal: Terminal
  private var heading = ""
  private var place = ""
  private var hasCarried = false
  private var hasConverted = false
  private var opaque = 0
  private var opaqueFrames: (first: UInt32, last: UInt32) = (0, 0)

  init(terminal: Terminal) { self.terminal = terminal }

  /// Columns before the sample, before the notes, and before what continues them.
  private static let sampleAt = 52
  private static let notesAt = 77

  mutating func write(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ device: RecordedDevice,
    _ file: String,
    to output: inout OutputBuffer
  ) {
    var heading = device.address
    if !device.name.isEmpty { heading += "  " + TextEscaping.terminal(device.name) }
    if !file.isEmpty { heading += "  " + TextEscaping.terminal(file) }
    if heading != self.heading {
      if !self.heading.isEmpty { output.newline() }
      self.heading = heading
      self.place = ""
      output.append(heading, as: .heading, on: terminal)
      output.newline()
      let columns = "     no.  time                offset  mg/dL mmol/L  sample                   notes"
      output.append(columns, as: .dim, on: terminal)
      output.newline()
    }
    let place = Self.place(record, history)
    if place != self.place {
      self.place = place
      output.append(place, as: record.procedure > 0 && !record.isComplete ? .bad : .dim, on: terminal)
      output.newline()
    }
    if record.kind == .opaque {
      if opaque == 0 { opaqueFrames.first = record.frame }
      opaqueFrames.last = record.frame
      opaque += 1
      return
    }
    writeLine(record, history, to: &output)
  }

  /// Link and procedure the next lines belong to.
  private static func place(_ record: RecordRow, _ history: borrowing LinkHistory) -> String {
    guard record.procedure > 0 else { return "  link \(history.number), outside of any procedure" }
    let procedure = history.procedures[Int(record.procedure) - 1]
    let frame = history.pdus[Int(procedure.request)].frame
    return "  link \(history.number), procedure \(record.procedure), requested in frame \(frame), "
      + (record.isComplete ? "complete" : "not complete") + (record.isAfterResult ? ", after its result" : "")
  }

  private mutating func writeLine(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    to output: inout OutputBuffer
  ) {
    output.append(record.hasSequence ? String(record.sequence) : "?", columns: 8, alignment: .right)
    output.append("  ")
    let time = record.userFacingTime ?? (record.hasBaseTime ? record.baseTime : nil)
    output.append(time?.description ?? "", columns: 19)
    output.append(offset(record), columns: 8, alignment: .right)
    writeConcentration(record, to: &output)
    let remarks = notes(record, history)
    guard record.hasType || !remarks.isEmpty else { return output.newline() }
    output.append("  ")
    let sample = record.hasType ? Self.sample(record) : ""
    output.append(sample)
    var column = Self.sampleAt + TextColumns.count(sample)
    for (index, remark) in remarks.enumerated() {
      let text = index + 1 < remarks.count ? remark + "," : remark
      let start = index == 0 ? max(Self.notesAt, sample.isEmpty ? 0 : column + 2) : column + 1
      if start + TextColumns.count(text) > terminal.width && column > Self.notesAt {
        output.newline()
        output.append(repeating: 0x20, count: Self.notesAt)
        column = Self.notesAt
      } else {
        output.append(repeating: 0x20, count: start - column)
        column = start
      }
      output.append(text)
      column += TextColumns.count(text)
    }
    output.newline()
  }

  /// `capillary blood, finger`: whole blood is the usual case and needs no adjective here.
  private static func sample(_ record: RecordRow) -> String {
    let type =
      switch record.type.rawValue {
      case 1: "capillary blood"
      case 3: "venous blood"
      case 5: "arterial blood"
      case 7: "undetermined blood"
      default: record.type.name
      }
    return record.location == .notAvailable ? type : type + ", " + record.location.name
  }

  private mutating func offset(_ record: RecordRow) -> String {
    guard record.hasOffset else { return "" }
    if record.isCarried { hasCarried = true }
    return (record.offset >= 0 ? "+" : "") + "\(record.offset)" + (record.isCarried ? "*" : " ")
  }

  private mutating func writeConcentration(_ record: RecordRow, to output: inout OutputBuffer) {
    guard record.hasConcentration else { return output.append(repeating: 0x20, count: 13) }
    if let special = record.concentration.special {
      output.append(special.rawValue, columns: 13, alignment: .right)
      return
    }
    hasConverted = true
    let value = record.concentrationText
    let isMass = record.unit == .kilogramsPerLitre
    let milligrams = value.text(in: .milligramsPerDecilitre)
    let millimoles = value.text(in: .millimolesPerLitre)
    output.append(isMass ? milligrams : "~" + milligrams, columns: 6, alignment: .right)
    output.append(isMass ? "~" + millimoles : millimoles, columns: 7, alignment: .right)
  }

  private func notes(_ record: RecordRow, _ history: borrowing LinkHistory) -> [String] {
    var notes: [String] = []
    if record.kind == .context { notes.append("context without its measurement") }
    if record.repetition == .same { notes.append("again") }
    if record.repetition == .changed { notes.append("number came before with other content") }
    if record.isClipped { notes.append("cut by the logger") }
    if record.hasBaseTime && !record.baseTime.hasValidFields { notes.append("no valid time") }
    notes += SensorStatusAnnunciation(rawValue: record.annunciation).names
    if let context = RecordContext(record.context, history) { notes += context.summary }
    if record.undecodedFrom != .max {
      let value = history.value(history.pdus[record.pdu])
      notes.append(
        "undecoded: "
          + hex(value.extracting(min(record.undecodedFrom, value.byteCount)..<value.byteCount).copied())
      )
    }
    return notes
  }

  /// Ends a link: what it carried that is not decoded.
  mutating func end(_ history: borrowing LinkHistory, to output: inout OutputBuffer) {
    guard opaque > 0 else { return }
    let names = history.handles.filter { $0.role == .insulinHistory || $0.role == .otherRecords }
      .map { AttributeNames.characteristic($0, history) }
    let word = opaque == 1 ? "value" : "values"
    output.append(
      "    \(opaque) \(word) of \(names.joined(separator: ", ")) not decoded, "
        + "frames \(opaqueFrames.first)–\(opaqueFrames.last); --format jsonl has their octets\n"
    )
    opaque = 0
  }

  /// Ends the table: how many there were, and what the marks mean.
  func finish(_ totals: RecordsTotals, to output: inout OutputBuffer) {
    if totals.measurements + totals.opaque + totals.looseContexts > 0 { output.newline() }
    var parts = [Self.count(totals.measurements, "record")]
    if totals.devices > 1 { parts[0] += " of \(totals.devices) devices" }
    if totals.repeated > 0 {
      parts.append("\(totals.repeated) came again" + (totals.leftOut > 0 ? " and \(totals.leftOut) left out" : ""))
    }
    if totals.changed > 0 { parts.append("\(totals.changed) with a number that had other content before") }
    if totals.clipped > 0 { parts.append("\(totals.clipped) cut by the logger") }
    if totals.undecoded > 0 { parts.append("\(totals.undecoded) with undecoded octets") }
    if totals.looseContexts > 0 { parts.append(Self.count(totals.looseContexts, "context") + " without measurement") }
    if totals.opaque > 0 { parts.append(Self.count(totals.opaque, "record") + " not decoded") }
    if totals.filtered > 0 { parts.append("\(totals.filtered) before the time asked for") }
    output.append(parts.joined(separator: ", ") + ".\n")
    var legend: [String] = []
    if hasConverted { legend.append("~ converted with 18.02 mg/dL per mmol/L") }
    if hasCarried { legend.append("* offset (minutes) of the record before") }
    if !legend.isEmpty {
      output.append(legend.joined(separator: "; "), as: .dim, on: terminal)
      output.newline()
    }
  }

  private static func count(_ number: Int, _ word: String) -> String {
    number == 1 ? "1 \(word)" : "\(number) \(word)s"
  }
}
