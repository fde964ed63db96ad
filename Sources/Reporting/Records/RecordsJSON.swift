import BluetoothWire
import HealthProfiles
import LinkTrace

/// Records as JSON lines: `racpscope/record/1`, one object a record, the same members always for a kind.
enum RecordsJSON: RecordShape {
  static func names() -> CodeNames { CodeNames(location: #"","location":""#, health: #"","health":""#) }

  static func link(_ device: RecordedDevice, file: String, _ history: borrowing LinkHistory) -> [UInt8] {
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    json.member("device", device.identity == nil ? nil : device.address)
    json.key("device_name")
    if device.name.isEmpty { json.null() } else { json.value(utf8: device.name) }
    json.member("file", file)
    json.member("link", history.number)
    // Without its bracket it goes on in the object of the record.
    return Array(json.output.octets.dropFirst())
  }

  @inline(never)
  static func writeEnd(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ company: [UInt32],
    to output: inout OutputBuffer
  ) {
    if record.undecodedFrom == .max {
      output.append("null")
    } else {
      let value = history.value(history.pdus[record.pdu])
      output.append(#"""#)
      output.append(hexOctetsOf: value.extracting(min(record.undecodedFrom, value.byteCount)..<value.byteCount))
      output.append(#"""#)
    }
    output.append(#","beside":["#)
    for (index, ordinal) in company.enumerated() {
      if index > 0 { output.append(",") }
      output.append(decimal: ordinal)
    }
    output.append("]}\n")
  }

  static func writeHead(_ record: RecordRow, _ link: [UInt8], to output: inout OutputBuffer) {
    output.append(#"{"schema":"racpscope/record/1","kind":""#)
    output.append(record.kind.name)
    output.append(#"","#)
    output.append(link)
    output.append(#","procedure":"#)
    if record.procedure > 0 { output.append(decimal: record.procedure) } else { output.append("null") }
    output.append(#","frame":"#)
  }

  @inline(__always)
  static func write(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ clock: borrowing ReceptionClock,
    _ names: borrowing CodeNames,
    to row: inout RowWriter
  ) {
    row.decimal(record.frame)
    row.put(#","received":""#)
    clock.write(record.time, to: &row)
    row.put(0x22)
    if record.kind != .opaque {
      row.put(#","sequence":"#)
      if record.hasSequence { row.decimal(UInt32(record.sequence)) } else { row.put("null") }
      if record.kind == .measurement {
        writeTimes(record, to: &row)
        writeSample(record, names, to: &row)
      }
      writeContext(record, history, names, to: &row)
    }
    writeFlags(record, to: &row)
    row.put(#","undecoded":"#)
    if !record.isUnusual { row.put("null,\"beside\":[]}\n") }
  }

  @inline(__always) private static func writeTimes(_ record: RecordRow, to row: inout RowWriter) {
    var time: DateTimeDigits?
    row.put(#","base_time":"#)
    if !record.hasBaseTime {
      row.put("null")
    } else if record.baseTime.hasValidFields {
      let digits = DateTimeDigits(record.baseTime)
      quote(digits, to: &row)
      if record.hasOffset {
        time = record.offset != 0 ? digits.moved(record.baseTime, minutes: Int(record.offset)) : digits
      }
    } else {
      quote(record.baseTime.isoText, to: &row)
    }
    row.put(#","time_offset":"#)
    if record.hasOffset {
      if record.offset < 0 { row.put(0x2D) }
      row.decimal(UInt32(record.offset.magnitude))
    } else {
      row.put("null")
    }
    if record.isCarried { row.put(#","offset_carried":true"#) } else { row.put(#","offset_carried":false"#) }
    row.put(#","time":"#)
    if let time { quote(time, to: &row) } else { row.put("null") }
  }

  @inline(__always) private static func quote(_ time: DateTimeDigits, to row: inout RowWriter) {
    row.put(0x22)
    time.write(to: &row)
    row.put(0x22)
  }

  /// Text that has no character to escape.
  private static func quote(_ text: String, to row: inout RowWriter) {
    row.put(0x22)
    row.put(text: text)
    row.put(0x22)
  }

  @inline(__always)
  private static func writeSample(_ record: RecordRow, _ names: borrowing CodeNames, to row: inout RowWriter) {
    if !record.hasConcentration {
      row.put(#","mg_dl":null,"mmol_l":null,"unit":null,"special":null"#)
    } else {
      switch ConcentrationDigits(record.concentration, record.unit) {
      case .milligrams(let milligrams, let tenths):
        row.put(#","mg_dl":"#)
        row.decimal(milligrams)
        row.put(#","mmol_l":"#)
        row.decimal(tenths / 10)
        row.put(0x2E)
        row.put(0x30 &+ UInt8(truncatingIfNeeded: tenths % 10))
        if record.unit == .kilogramsPerLitre {
          row.put(#","unit":"mg/dL","special":null"#)
        } else {
          row.put(#","unit":"mmol/L","special":null"#)
        }
      case .other: writeRare(record, to: &row)
      }
    }
    if record.hasType {
      row.put(#","type":""#)
      names.write(.sample, record.typeAndLocation, to: &row)
      row.put(#"","status":["#)
    } else {
      row.put(#","type":null,"location":null,"status":["#)
    }
    if record.annunciation != 0 { writeStatus(record.annunciation, names, to: &row) }
    switch record.repetition {
    case .none: row.put(#"],"duplicate":null"#)
    case .same: row.put(#"],"duplicate":"same""#)
    case .changed: row.put(#"],"duplicate":"changed""#)
    }
  }

  /// Words for what is no number, and numbers with an exponent no meter of today sends.
  @inline(never) private static func writeRare(_ record: RecordRow, to row: inout RowWriter) {
    let value = record.concentrationText
    let special = value.float.special?.rawValue
    row.put(#","mg_dl":"#)
    row.put(text: special == nil ? value.text(in: .milligramsPerDecilitre) : "null")
    row.put(#","mmol_l":"#)
    row.put(text: special == nil ? value.text(in: .millimolesPerLitre) : "null")
    row.put(#","unit":"#)
    quote(record.unit.display.rawValue, to: &row)
    row.put(#","special":"#)
    if let special { quote(special, to: &row) } else { row.put("null") }
  }

  @inline(never)
  private static func writeStatus(_ status: UInt16, _ names: borrowing CodeNames, to row: inout RowWriter) {
    var rest = status
    while rest != 0 {
      row.put(0x22)
      names.write(.status, UInt8(truncatingIfNeeded: rest.trailingZeroBitCount), to: &row)
      row.put(0x22)
      rest &= rest &- 1
      if rest != 0 { row.put(0x2C) }
    }
  }

  @inline(__always)
  private static func writeContext(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ names: borrowing CodeNames,
    to row: inout RowWriter
  ) {
    if record.context >= 0 {
      let pdu = history.pdus[record.context]
      let value = history.value(pdu)
      if let fields = ContextFields(pdu, history) { return write(fields, value, frame: pdu.frame, names, to: &row) }
    }
    row.put(#","context":null"#)
  }

  private static func write(
    _ fields: ContextFields,
    _ value: RawSpan,
    frame: UInt32,
    _ names: borrowing CodeNames,
    to row: inout RowWriter
  ) {
    row.put(#","context":{"frame":"#)
    row.decimal(frame)
    row.put(#","meal":"#)
    if fields.hasMeal { name(.meal, value.u8(at: fields.meal), names, to: &row) } else { row.put("null") }
    if fields.hasCarbohydrate {
      row.put(#","carbohydrate":"#)
      name(.carbohydrate, value.u8(at: fields.carbohydrate), names, to: &row)
      row.put(#","carbohydrate_g":"#)
      number(value.u16(at: fields.carbohydrate + 1), scale: 3, to: &row)
    } else {
      row.put(#","carbohydrate":null,"carbohydrate_g":null"#)
    }
    if fields.hasCondition {
      row.put(#","tester":"#)
      name(.condition, value.u8(at: fields.condition), names, to: &row)
    } else {
      row.put(#","tester":null,"health":null"#)
    }
    if fields.hasExercise {
      row.put(#","exercise_s":"#)
      row.decimal(UInt32(value.u16(at: fields.exercise)))
      row.put(#","exercise_percent":"#)
      row.decimal(UInt32(value.u8(at: fields.exercise + 2)))
    } else {
      row.put(#","exercise_s":null,"exercise_percent":null"#)
    }
    if fields.hasMedication {
      row.put(#","medication":"#)
      name(.medication, value.u8(at: fields.medication), names, to: &row)
      row.put(#","medication_amount":"#)
      number(value.u16(at: fields.medication + 1), scale: fields.medicationScale, to: &row)
      if fields.isLitres { row.put(#","medication_unit":"mL""#) } else { row.put(#","medication_unit":"mg""#) }
    } else {
      row.put(#","medication":null,"medication_amount":null,"medication_unit":null"#)
    }
    row.put(#","hba1c_percent":"#)
    if fields.hasHemoglobin { number(value.u16(at: fields.hemoglobin), scale: 0, to: &row) } else { row.put("null") }
    row.put(0x7D)
  }

  @inline(__always)
  private static func name(_ part: CodeNames.Part, _ code: UInt8, _ names: borrowing CodeNames, to row: inout RowWriter)
  {
    row.put(0x22)
    names.write(part, code, to: &row)
    row.put(0x22)
  }

  /// A number, or the name of what stands in its place.
  @inline(__always) private static func number(_ word: UInt16, scale: Int, to row: inout RowWriter) {
    let float = MedicalFloat16(word: word)
    if float.isSpecial { quote(float.decimalText(), to: &row) } else { row.decimal(float, scaledBy10ToThe: scale) }
  }

  @inline(__always) private static func writeFlags(_ record: RecordRow, to row: inout RowWriter) {
    if record.procedure == 0 || record.isEndUnknown {
      row.put(#","complete":null"#)
    } else if record.isComplete {
      row.put(#","complete":true"#)
    } else {
      row.put(#","complete":false"#)
    }
    if record.isAfterResult { row.put(#","after_result":true"#) } else { row.put(#","after_result":false"#) }
    if record.isClipped { row.put(#","clipped":true"#) } else { row.put(#","clipped":false"#) }
  }
}
