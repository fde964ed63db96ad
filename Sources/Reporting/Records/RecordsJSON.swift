import BluetoothWire
import HealthProfiles
import LinkTrace

/// Records as JSON lines: `racpscope/record/1`, one object a record, the same members always for a kind.
struct RecordsJSON {
  private var device = ""
  private var name: [UInt8] = []
  private var file = ""
  private var link: UInt32 = 0
  private var time: TimeText

  init(zone: TimeText.Zone) { time = TimeText(zone) }

  mutating func begin(_ device: RecordedDevice, file: String, _ history: borrowing LinkHistory) {
    self.device = device.address
    name = device.name
    self.file = file
    link = history.number
  }

  mutating func write(_ record: RecordRow, _ history: borrowing LinkHistory, to output: inout OutputBuffer) {
    var taken = OutputBuffer()
    swap(&taken, &output)
    var json = JSONWriter(taken)
    // The buffer must have one owner, or the first append copies it.
    taken = OutputBuffer()
    json.beginObject()
    json.member("schema", "racpscope/record/1")
    json.member("kind", record.kind.name)
    json.member("device", device == "unknown" ? nil : device)
    json.key("device_name")
    if name.isEmpty { json.null() } else { json.value(utf8: name) }
    json.member("file", file)
    json.member("link", link)
    json.member("procedure", record.procedure == 0 ? nil : record.procedure)
    json.member("frame", record.frame)
    json.member("received", time.timestamp(record.time))
    if record.kind != .opaque {
      json.member("sequence", record.hasSequence ? record.sequence : nil)
      if record.kind == .measurement { writeMeasurement(record, to: &json) }
      writeContext(record, history, to: &json)
    }
    json.key("complete")
    if record.procedure > 0 { json.value(record.isComplete) } else { json.null() }
    json.member("after_result", record.isAfterResult)
    json.member("clipped", record.isClipped)
    json.key("undecoded")
    let value = history.value(history.pdus[record.pdu])
    if record.undecodedFrom == .max {
      json.null()
    } else {
      json.value(
        hexOctetsOf: value.extracting(min(record.undecodedFrom, value.byteCount)..<value.byteCount)
      )
    }
    json.endObject()
    json.endDocument()
    swap(&output, &json.output)
  }

  private func writeMeasurement(_ record: RecordRow, to json: inout JSONWriter) {
    json.member("base_time", record.hasBaseTime ? Self.text(record.baseTime) : nil)
    json.member("time_offset", record.hasOffset ? record.offset : nil)
    json.member("offset_carried", record.isCarried)
    json.member("time", record.userFacingTime.map(Self.text))
    let special = record.hasConcentration ? record.concentration.special : nil
    let hasNumber = record.hasConcentration && special == nil
    json.key("mg_dl")
    number(hasNumber ? record.concentrationText.text(in: .milligramsPerDecilitre) : nil, &json)
    json.key("mmol_l")
    number(hasNumber ? record.concentrationText.text(in: .millimolesPerLitre) : nil, &json)
    json.member("unit", record.hasConcentration ? record.unit.display.rawValue : nil)
    json.member("special", special?.rawValue)
    json.member("type", record.hasType ? record.type.name : nil)
    json.member("location", record.hasType ? record.location.name : nil)
    json.key("status")
    json.beginArray()
    for name in SensorStatusAnnunciation(rawValue: record.annunciation).names { json.value(name) }
    json.endArray()
    json.member("duplicate", record.repetition == .none ? nil : record.repetition.name)
  }

  private func writeContext(_ record: RecordRow, _ history: borrowing LinkHistory, to json: inout JSONWriter) {
    json.key("context")
    guard let context = RecordContext(record.context, history) else { return json.null() }
    let value = context.value
    json.beginObject()
    json.member("frame", history.pdus[record.context].frame)
    json.member("meal", value.meal?.name)
    json.member("carbohydrate", value.carbohydrate?.identifier.name)
    json.key("carbohydrate_g")
    amount(value.carbohydrate?.kilograms, value.carbohydrate?.gramsText, &json)
    json.member("tester", value.condition?.tester.name)
    json.member("health", value.condition?.health.name)
    json.member("exercise_s", value.exercise?.seconds)
    json.member("exercise_percent", value.exercise?.intensity)
    json.member("medication", value.medication?.identifier.name)
    json.key("medication_amount")
    amount(value.medication?.amount, context.amount?.text, &json)
    json.member("medication_unit", value.medication.map { _ in value.medicationUnit == .litres ? "mL" : "mg" })
    json.key("hba1c_percent")
    amount(value.hemoglobinA1c, value.hemoglobinA1c?.decimalText(), &json)
    json.endObject()
  }

  /// A number, or the name of what stands in its place.
  private func amount(_ float: MedicalFloat16?, _ text: String?, _ json: inout JSONWriter) {
    if let special = float?.special { json.value(special.rawValue) } else { number(text, &json) }
  }

  private func number(_ text: String?, _ json: inout JSONWriter) {
    if let text { json.value(verbatim: text) } else { json.null() }
  }

  private static func text(_ time: DateTime) -> String {
    let text = time.description
    return text.split(separator: " ").joined(separator: "T")
  }
}
