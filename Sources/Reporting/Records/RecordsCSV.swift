import BluetoothWire
import HealthProfiles
import LinkTrace

/// Records as comma-separated values (RFC 4180, lines ended by a line feed): one row a record, the same columns always.
enum RecordsCSV: RecordShape {
  static let header =
    "kind,device,device_name,file,link,procedure,frame,received,sequence,base_time,time_offset,offset_carried,time,"
    + "mg_dl,mmol_l,unit,special,type,location,status,context,meal,carbohydrate,carbohydrate_g,tester,health,"
    + "exercise_s,exercise_percent,medication,medication_amount,medication_unit,hba1c_percent,duplicate,complete,"
    + "after_result,clipped,undecoded,beside\n"

  static func names() -> CodeNames { CodeNames(location: ",", health: ",") }

  /// `,device,name,file,link,`.
  static func link(_ device: RecordedDevice, file: String, _ history: borrowing LinkHistory) -> [UInt8] {
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
    return text.octets
  }

  @inline(never)
  static func writeEnd(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ company: [UInt32],
    to output: inout OutputBuffer
  ) {
    if record.undecodedFrom != .max {
      let value = history.value(history.pdus[record.pdu])
      output.append(hexOctetsOf: value.extracting(min(record.undecodedFrom, value.byteCount)..<value.byteCount))
    }
    output.append(",")
    for (index, ordinal) in company.enumerated() {
      if index > 0 { output.append(";") }
      output.append(decimal: ordinal)
    }
    output.newline()
  }

  static func writeHead(_ record: RecordRow, _ link: [UInt8], to output: inout OutputBuffer) {
    output.append(record.kind.name)
    output.append(link)
    if record.procedure > 0 { output.append(decimal: record.procedure) }
    output.append(",")
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
    row.put(0x2C)
    clock.write(record.time, to: &row)
    row.put(0x2C)
    if record.hasSequence { row.decimal(UInt32(record.sequence)) }
    row.put(0x2C)
    writeTimes(record, to: &row)
    writeSample(record, names, to: &row)
    writeContext(record, history, names, to: &row)
    writeFlags(record, to: &row)
    if !record.isUnusual { row.put(",\n") }
  }

  /// Base time, offset, whether it is carried, user-facing time.
  @inline(__always) private static func writeTimes(_ record: RecordRow, to row: inout RowWriter) {
    var time: DateTimeDigits?
    if record.hasBaseTime {
      if record.baseTime.hasValidFields {
        let digits = DateTimeDigits(record.baseTime)
        digits.write(to: &row)
        if record.hasOffset {
          time = record.offset != 0 ? digits.moved(record.baseTime, minutes: Int(record.offset)) : digits
        }
      } else {
        row.put(text: record.baseTime.isoText)
      }
    }
    row.put(0x2C)
    if record.hasOffset {
      if record.offset < 0 { row.put(0x2D) }
      row.decimal(UInt32(record.offset.magnitude))
    }
    row.put(0x2C)
    row.field(record.isCarried)
    if let time { time.write(to: &row) }
    row.put(0x2C)
  }

  /// Milligrams, millimoles, unit, special, type and location.
  @inline(__always)
  private static func writeSample(_ record: RecordRow, _ names: borrowing CodeNames, to row: inout RowWriter) {
    if record.hasConcentration {
      switch ConcentrationDigits(record.concentration, record.unit) {
      case .milligrams(let milligrams, let tenths):
        row.decimal(milligrams)
        row.put(0x2C)
        row.decimal(tenths / 10)
        row.put(0x2E)
        row.put(0x30 &+ UInt8(truncatingIfNeeded: tenths % 10))
        if record.unit == .kilogramsPerLitre { row.put(",mg/dL,,") } else { row.put(",mmol/L,,") }
      case .other: writeRare(record, to: &row)
      }
    } else {
      row.put(",,,,")
    }
    if record.hasType { names.write(.sample, record.typeAndLocation, to: &row) } else { row.put(0x2C) }
    row.put(0x2C)
  }

  /// Words for what is no number, and numbers with an exponent no meter of today sends.
  @inline(never) private static func writeRare(_ record: RecordRow, to row: inout RowWriter) {
    let value = record.concentrationText
    let special = value.float.special?.rawValue
    if special == nil { row.put(text: value.text(in: .milligramsPerDecilitre)) }
    row.put(0x2C)
    if special == nil { row.put(text: value.text(in: .millimolesPerLitre)) }
    row.put(0x2C)
    row.put(text: record.unit.display.rawValue)
    row.put(0x2C)
    if let special { row.put(text: quoted(special)) }
    row.put(0x2C)
  }

  /// +INFINITY would be a formula to a spreadsheet, which the quote prevents.
  private static func quoted(_ text: String) -> String {
    var output = OutputBuffer()
    output.append(csv: text)
    return output.text
  }

  /// Status, and the twelve columns of the context.
  @inline(__always)
  private static func writeContext(
    _ record: RecordRow,
    _ history: borrowing LinkHistory,
    _ names: borrowing CodeNames,
    to row: inout RowWriter
  ) {
    if record.annunciation != 0 { writeStatus(record.annunciation, names, to: &row) }
    row.put(0x2C)
    if record.context >= 0 {
      let pdu = history.pdus[record.context]
      if let fields = ContextFields(pdu, history) { return write(fields, history.value(pdu), names, to: &row) }
    }
    row.put("false,,,,,,,,,,,,")
  }

  @inline(never)
  private static func writeStatus(_ status: UInt16, _ names: borrowing CodeNames, to row: inout RowWriter) {
    var rest = status
    while rest != 0 {
      names.write(.status, UInt8(truncatingIfNeeded: rest.trailingZeroBitCount), to: &row)
      rest &= rest &- 1
      if rest != 0 { row.put(0x3B) }
    }
  }

  private static func write(
    _ fields: ContextFields,
    _ value: RawSpan,
    _ names: borrowing CodeNames,
    to row: inout RowWriter
  ) {
    row.put("true,")
    if fields.hasMeal { names.write(.meal, value.u8(at: fields.meal), to: &row) }
    row.put(0x2C)
    if fields.hasCarbohydrate {
      names.write(.carbohydrate, value.u8(at: fields.carbohydrate), to: &row)
      row.put(0x2C)
      number(value.u16(at: fields.carbohydrate + 1), scale: 3, to: &row)
    } else {
      row.put(0x2C)
    }
    row.put(0x2C)
    if fields.hasCondition { names.write(.condition, value.u8(at: fields.condition), to: &row) } else { row.put(0x2C) }
    row.put(0x2C)
    if fields.hasExercise {
      row.decimal(UInt32(value.u16(at: fields.exercise)))
      row.put(0x2C)
      row.decimal(UInt32(value.u8(at: fields.exercise + 2)))
    } else {
      row.put(0x2C)
    }
    row.put(0x2C)
    if fields.hasMedication {
      let amount = value.u16(at: fields.medication + 1)
      names.write(.medication, value.u8(at: fields.medication), to: &row)
      row.put(0x2C)
      number(amount, scale: fields.medicationScale, to: &row)
      if MedicalFloat16(word: amount).isSpecial {
        row.put(0x2C)
      } else if fields.isLitres {
        row.put(",mL")
      } else {
        row.put(",mg")
      }
    } else {
      row.put(",,")
    }
    row.put(0x2C)
    if fields.hasHemoglobin { number(value.u16(at: fields.hemoglobin), scale: 0, to: &row) }
    row.put(0x2C)
  }

  @inline(__always) private static func number(_ word: UInt16, scale: Int, to row: inout RowWriter) {
    let float = MedicalFloat16(word: word)
    if float.isSpecial {
      row.put(text: quoted(float.decimalText()))
    } else {
      row.decimal(float, scaledBy10ToThe: scale)
    }
  }

  @inline(__always) private static func writeFlags(_ record: RecordRow, to row: inout RowWriter) {
    switch record.repetition {
    case .none: row.put(0x2C)
    case .same: row.put("same,")
    case .changed: row.put("changed,")
    }
    if record.procedure == 0 || record.isEndUnknown {
      row.put(0x2C)
    } else {
      row.field(record.isComplete)
    }
    row.field(record.isAfterResult)
    row.field(record.isClipped)
  }
}
