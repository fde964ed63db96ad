import BluetoothWire
import HealthProfiles
import LinkTrace

/// Records as comma-separated values (RFC 4180, lines ended by a line feed): one row a record, the same columns always.
struct RecordsCSV {
  static let header =
    "kind,device,device_name,file,link,procedure,frame,received,sequence,base_time,time_offset,offset_carried,time,"
    + "mg_dl,mmol_l,unit,special,type,location,status,context,meal,carbohydrate,carbohydrate_g,tester,health,"
    + "exercise_s,exercise_percent,medication,medication_amount,medication_unit,hba1c_percent,duplicate,complete,"
    + "after_result,clipped,undecoded\n"

  /// Room for everything of a row but its prefix.
  private static let room = 512

  /// `,device,name,file,link,`: the same for all rows of a link.
  private var prefix: [UInt8] = []
  private var clock: ReceptionClock
  private let samples = SampleNames(separator: 0x2C)

  init(zone: TimeText.Zone) { clock = ReceptionClock(zone) }

  mutating func begin(_ device: RecordedDevice, file: String, _ history: borrowing LinkHistory) {
    var text = OutputBuffer()
    text.append(",")
    text.append(device.address)
    text.append(",")
    text.append(csv: device.name)
    text.append(",")
    text.append(csv: file)
    text.append(",")
    text.append(decimal: history.number)
    text.append(",")
    prefix = text.octets
  }

  mutating func write(_ record: RecordRow, _ history: borrowing LinkHistory, to output: inout OutputBuffer) {
    clock.move(to: record.time)
    render(record, history, to: &output)
  }

  private func render(_ record: RecordRow, _ history: borrowing LinkHistory, to output: inout OutputBuffer) {
    let isPlain = record.annunciation == 0 && record.context < 0 && record.undecodedFrom == .max
    output.appendRow(room: prefix.count + Self.room) { row in
      switch record.kind {
      case .measurement: row.put("measurement")
      case .context: row.put("context")
      case .opaque: row.put("opaque")
      }
      row.put(prefix)
      writeStart(record, to: &row)
      writeSample(record, to: &row)
      if isPlain {
        row.put(",,false,,,,,,,,,,,,")
        Self.writeFlags(record, to: &row)
        row.put(0x0A)
      }
    }
    if !isPlain { writeRest(record, history, to: &output) }
  }

  @inline(__always) private func writeStart(_ record: RecordRow, to row: inout RowWriter) {
    if record.procedure > 0 { row.decimal(record.procedure) }
    row.put(0x2C)
    row.decimal(record.frame)
    row.put(0x2C)
    clock.write(record.time, to: &row)
    row.put(0x2C)
    if record.hasSequence { row.decimal(UInt32(record.sequence)) }
    row.put(0x2C)
    if record.hasBaseTime { Self.write(record.baseTime, to: &row) }
    row.put(0x2C)
    if record.hasOffset {
      if record.offset < 0 { row.put(0x2D) }
      row.decimal(UInt32(record.offset.magnitude))
    }
    row.put(record.isCarried ? ",true," : ",false,")
    if let time = record.userFacingTime { Self.write(time, to: &row) }
    row.put(0x2C)
  }

  @inline(__always) private static func write(_ time: DateTime, to row: inout RowWriter) {
    row.four(time.year)
    row.put(0x2D)
    row.two(time.month)
    row.put(0x2D)
    row.two(time.day)
    row.put(0x54)
    row.two(time.hours)
    row.put(0x3A)
    row.two(time.minutes)
    row.put(0x3A)
    row.two(time.seconds)
  }

  /// Milligrams, millimoles, unit, special, type and location.
  @inline(__always) private func writeSample(_ record: RecordRow, to row: inout RowWriter) {
    if record.hasConcentration {
      switch ConcentrationDigits(record.concentration, record.unit) {
      case .milligrams(let milligrams, let tenths):
        row.decimal(milligrams)
        row.put(0x2C)
        row.decimal(tenths / 10)
        row.put(0x2E)
        row.put(0x30 &+ UInt8(truncatingIfNeeded: tenths % 10))
        row.put(record.unit == .kilogramsPerLitre ? ",mg/dL,," : ",mmol/L,,")
      case .other: writeRare(record, to: &row)
      }
    } else {
      row.put(",,,,")
    }
    if record.hasType { samples.write(record.typeAndLocation, to: &row) } else { row.put(0x2C) }
  }

  /// Words for what is no number, and numbers with an exponent no meter of today sends.
  @inline(never) private func writeRare(_ record: RecordRow, to row: inout RowWriter) {
    let value = record.concentrationText
    let special = value.float.special?.rawValue
    if special == nil { row.put(Array(value.text(in: .milligramsPerDecilitre).utf8)) }
    row.put(0x2C)
    if special == nil { row.put(Array(value.text(in: .millimolesPerLitre).utf8)) }
    row.put(0x2C)
    row.put(Array(record.unit.display.rawValue.utf8))
    row.put(0x2C)
    if let special {
      // +INFINITY would be a formula to a spreadsheet, which the quote prevents.
      var text = OutputBuffer()
      text.append(csv: special)
      row.put(text.octets)
    }
    row.put(0x2C)
  }

  @inline(__always) private static func writeFlags(_ record: RecordRow, to row: inout RowWriter) {
    switch record.repetition {
    case .none: row.put(0x2C)
    case .same: row.put("same,")
    case .changed: row.put("changed,")
    }
    if record.procedure > 0 { row.put(record.isComplete ? "true," : "false,") } else { row.put(0x2C) }
    row.put(record.isAfterResult ? "true," : "false,")
    row.put(record.isClipped ? "true," : "false,")
  }

  // MARK: Rows with more

  @inline(never)
  private func writeRest(_ record: RecordRow, _ history: borrowing LinkHistory, to output: inout OutputBuffer) {
    output.append(",")
    let names = SensorStatusAnnunciation(rawValue: record.annunciation).names
    for (index, name) in names.enumerated() {
      if index > 0 { output.append(";") }
      output.append(name)
    }
    output.append(",")
    if let context = RecordContext(record.context, history) {
      output.append("true")
      for field in context.columns {
        output.append(",")
        output.append(field)
      }
    } else {
      output.append("false,,,,,,,,,,,")
    }
    output.append(",")
    output.appendRow(room: 64) { row in Self.writeFlags(record, to: &row) }
    if record.undecodedFrom != .max {
      let value = history.value(history.pdus[record.pdu])
      output.append(hexOctetsOf: value.extracting(min(record.undecodedFrom, value.byteCount)..<value.byteCount))
    }
    output.newline()
  }
}
