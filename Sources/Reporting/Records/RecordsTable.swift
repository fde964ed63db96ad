import BluetoothWire
import HealthProfiles
import LinkTrace

/// Records as an aligned table for people, under one heading for each device and each procedure.
struct RecordsTable {
  /// True where nothing stands before the next line.
  var isAtTop = true
  /// What the marks in the rows so far mean.
  private(set) var summary = RecordsSummary()
  private let terminal: Terminal
  private var text: TimeText
  private var heading = ""
  /// What the heading was made of.
  private var headed: (address: String, name: [UInt8], file: String) = ("", [], "")
  private var place = ""
  /// What the place was made of; nil where a link begins.
  private var placed: Place?
  /// The day of reception that was told last.
  private var toldDay: Int64?
  private var opaque = 0
  private var opaqueFrames: (first: UInt32, last: UInt32) = (0, 0)

  /// Link and procedure of a record.
  private struct Place: Equatable {
    var link: UInt32
    var procedure: UInt32
    var company: UInt32
    var isComplete: Bool
    var isEndUnknown: Bool
    var isAfterResult: Bool
  }

  init(_ terminal: Terminal, _ zone: TimeText.Zone) {
    self.terminal = terminal
    text = TimeText(zone)
  }

  private static let columns =
    "  frame   no.  time                 base time      offset  received mg/dL mmol/L  sample"
  private static let wideColumns =
    "  frame   no.  time                 base time            offset  received            mg/dL mmol/L  sample"
  /// Columns before the sample, and before notes that have no room on their record's line.
  private static let sampleAt = 82
  private static let wideSampleAt = 99
  private static let notesAt = 15
  /// From here on both dates of a line are told in full.
  private static let wideFrom = 120

  private var isWide: Bool { terminal.width >= Self.wideFrom }

  mutating func write(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ spans: borrowing ProcedureSpans,
    _ device: RecordedDevice,
    _ file: String,
    to output: inout OutputBuffer
  ) {
    if headed.address != device.address || headed.name != device.name || headed.file != file {
      writeHeading(device, file, to: &output)
    }
    let placed = Place(
      link: history.number,
      procedure: record.procedure,
      company: record.company,
      isComplete: record.isComplete,
      isEndUnknown: record.isEndUnknown,
      isAfterResult: record.isAfterResult
    )
    if placed != self.placed {
      self.placed = placed
      writePlace(record, history, spans, to: &output)
    }
    if record.kind == .opaque {
      if opaque == 0 { opaqueFrames.first = record.frame }
      opaqueFrames.last = record.frame
      opaque += 1
      return
    }
    write(dayOf: record, to: &output)
    writeLine(record, history, to: &output)
  }

  private mutating func writeHeading(_ device: RecordedDevice, _ file: String, to output: inout OutputBuffer) {
    headed = (device.address, device.name, file)
    var heading = device.address
    if !device.name.isEmpty { heading += "  " + TextEscaping.terminal(device.name) }
    if !file.isEmpty { heading += "  " + TextEscaping.terminal(file) }
    guard heading != self.heading else { return }
    if !isAtTop { output.newline() }
    isAtTop = false
    self.heading = heading
    place = ""
    placed = nil
    output.append(heading, as: .heading, on: terminal)
    output.newline()
    output.append(isWide ? Self.wideColumns : Self.columns, as: .dim, on: terminal)
    output.newline()
  }

  private mutating func writePlace(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ spans: borrowing ProcedureSpans,
    to output: inout OutputBuffer
  ) {
    let place = self.place(record, history, spans)
    guard place != self.place else { return }
    self.place = place
    let request = record.procedure > 0 ? history.procedures[Int(record.procedure) - 1].request : nil
    toldDay = request.map { text.day(history.pdus[Int($0)].time) }
    let isOpen = record.procedure > 0 && !record.isComplete && !record.isEndUnknown
    output.append(place, as: isOpen ? .bad : .dim, on: terminal)
    output.newline()
  }

  /// The day of reception where it is not the one told last: there is no room for it on every line.
  private mutating func write(dayOf record: RecordRow, to output: inout OutputBuffer) {
    guard !isWide else { return }
    let received = text.day(record.time)
    guard received != toldDay else { return }
    toldDay = received
    output.begin(.dim, on: terminal)
    output.append("    received on ")
    text.appendDay(record.time, to: &output)
    output.end(.dim, on: terminal)
    output.newline()
  }

  /// Link and procedure the next lines belong to.
  private mutating func place(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ spans: borrowing ProcedureSpans
  ) -> String {
    guard record.procedure > 0 else { return "  link \(history.number), outside of any procedure" }
    let procedure = history.procedures[Int(record.procedure) - 1]
    let frame = history.pdus[Int(procedure.request)].frame
    let when = text.timestamp(history.pdus[Int(procedure.request)].time).prefix(19).replacing("T", with: " ")
    let others = spans.company(record.company).map { " or \($0)" }.joined()
    return "  link \(history.number), procedure \(record.procedure)\(others), requested in frame \(frame) at \(when), "
      + (record.isComplete ? "complete" : record.isEndUnknown ? "its end not captured" : "not complete")
      + (record.isAfterResult ? ", after its result" : "")
  }

  private mutating func writeLine(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    to output: inout OutputBuffer
  ) {
    output.append(String(record.frame), columns: 7, alignment: .right)
    output.append(record.hasSequence ? String(record.sequence) : "?", columns: 6, alignment: .right)
    output.append(record.repetition == .same ? "= " : "  ")
    if record.repetition == .same { summary.hasRepeated = true }
    let time = record.userFacingTime ?? (record.hasBaseTime ? record.baseTime : nil)
    output.append(time, columns: 21)
    let baseTime = record.hasBaseTime ? record.baseTime : nil
    if isWide {
      output.append(baseTime, columns: 20)
    } else {
      // The year is told only where it is not that of the user-facing time.
      output.append(baseTime, columns: 14, withoutYear: time?.year)
    }
    output.append(offset(record), columns: 7, alignment: .right)
    output.append("  ")
    if isWide {
      text.appendDay(record.time, to: &output)
      output.append(" ")
    }
    text.appendSecondOfDay(record.time, to: &output)
    writeConcentration(record, to: &output)
    let remarks = notes(record, history)
    guard record.hasType || !remarks.isEmpty else { return output.newline() }
    var column = isWide ? Self.wideSampleAt : Self.sampleAt
    if record.hasType {
      let sample = Self.sample(record)
      let width = TextColumns.count(sample.type) + TextColumns.count(sample.location)
      if column + width > terminal.width && column > Self.notesAt {
        output.newline()
        output.append(repeating: 0x20, count: Self.notesAt)
        column = Self.notesAt
      } else {
        output.append("  ")
      }
      output.append(sample.type)
      output.append(sample.location)
      column += width
    }
    for (index, remark) in remarks.enumerated() {
      let text = index + 1 < remarks.count ? remark + "," : remark
      let gap = index == 0 ? 2 : 1
      if column + gap + TextColumns.count(text) > terminal.width && column > Self.notesAt {
        output.newline()
        output.append(repeating: 0x20, count: Self.notesAt)
        column = Self.notesAt
      } else {
        output.append(repeating: 0x20, count: gap)
        column += gap
      }
      output.append(text)
      column += TextColumns.count(text)
    }
    output.newline()
  }

  /// `capillary` and `, finger`: whole blood is the usual case and goes without saying here.
  private static func sample(_ record: RecordRow) -> (type: String, location: String) {
    let type =
      switch record.type.rawValue {
      case 1: "capillary"
      case 3: "venous"
      case 5: "arterial"
      case 7: "undetermined"
      default: record.type.name
      }
    return (type, record.location == .notAvailable ? "" : ", " + record.location.name)
  }

  private mutating func offset(_ record: RecordRow) -> String {
    guard record.hasOffset else { return "" }
    if record.isCarried { summary.hasCarried = true }
    return (record.offset >= 0 ? "+" : "") + "\(record.offset)" + (record.isCarried ? "*" : " ")
  }

  private mutating func writeConcentration(_ record: RecordRow, to output: inout OutputBuffer) {
    guard record.hasConcentration else { return output.append(repeating: 0x20, count: 13) }
    if let special = record.concentration.special {
      output.append(special.rawValue, columns: 13, alignment: .right)
      return
    }
    summary.hasConverted = true
    let isMass = record.unit == .kilogramsPerLitre
    let milligrams: String
    let millimoles: String
    switch ConcentrationDigits(record.concentration, record.unit) {
    case .milligrams(let number, let tenths):
      milligrams = String(number)
      millimoles = "\(tenths / 10).\(tenths % 10)"
    case .other:
      let value = record.concentrationText
      milligrams = value.text(in: .milligramsPerDecilitre)
      millimoles = value.text(in: .millimolesPerLitre)
    }
    output.append(isMass ? milligrams : "~" + milligrams, columns: 6, alignment: .right)
    output.append(isMass ? "~" + millimoles : millimoles, columns: 7, alignment: .right)
  }

  private func notes(_ record: RecordRow, _ history: borrowing LinkHistory) -> [String] {
    var notes: [String] = []
    if record.kind == .context {
      notes.append(record.isClipped && !record.hasSequence ? "context" : "context without its measurement")
    }
    if record.repetition == .changed { notes.append("number came before with other content") }
    if record.isClipped { notes.append("cut by the logger") }
    if record.hasBaseTime && !record.baseTime.hasValidFields { notes.append("no valid time") }
    notes += SensorStatusAnnunciation(rawValue: record.annunciation).names
    if let context = RecordContext(record.context, history) {
      notes += context.summary
    } else if record.context >= 0 {
      notes.append("context cut by the logger")
    }
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
    placed = nil
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
}
