import BluetoothWire
import HealthProfiles
import RecordCollector
import RecordStore

/// Records of a store as JSON lines: `racpscope/store-export/1`, the same members always for a kind.
struct StoreRecordsJSON {
  private var device: StoredDevice?

  mutating func begin(_ device: StoredDevice) { self.device = device }

  func write(_ reading: StoredReading, to output: inout OutputBuffer) {
    let stored = reading.stored
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    begin("record", stored.syncIdentifier, &json)
    json.member("variant", stored.variant)
    var clock = TimeText(.utc)
    json.member("committed", clock.timestamp(stored.committedAt &* 1_000_000))
    json.member("base_time", reading.fields.baseTime?.isoText)
    json.member("time_offset", reading.record.offset)
    json.member("offset_carried", reading.isOffsetCarried)
    json.member("time", reading.time?.isoText)
    writeSample(reading, &json)
    json.key("contexts")
    json.beginArray()
    for context in reading.record.contexts { Self.write(context, &json) }
    json.endArray()
    json.member("context_missing", reading.record.contextIsMissing)
    json.member("value", hex(reading.record.value))
    json.endObject()
    json.endDocument()
    output.append(json.output.octets)
  }

  func write(_ orphan: StoredOrphan, to output: inout OutputBuffer) {
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    begin("context", orphan.syncIdentifier, &json)
    json.key("context")
    Self.write(orphan.context, &json)
    json.endObject()
    json.endDocument()
    output.append(json.output.octets)
  }

  private func begin(_ kind: String, _ identifier: SyncIdentifier, _ json: inout JSONWriter) {
    json.member("schema", "racpscope/store-export/1")
    json.member("kind", kind)
    json.member("sync_identifier", identifier.description)
    json.member("device", identifier.meter.description)
    json.member("address_type", identifier.meter.isRandom ? "random" : "public")
    let identity = device?.identity
    json.member("device_name", identity?.name)
    json.member("manufacturer", identity?.manufacturer)
    json.member("model", identity?.model)
    json.member("serial", identity?.serial)
    json.member("service", hex(UInt64(identifier.service.rawValue), digits: 4))
    json.member("epoch", identifier.epoch)
    json.member("sequence", identifier.sequenceNumber)
  }

  private func writeSample(_ reading: StoredReading, _ json: inout JSONWriter) {
    let concentration = reading.fields.concentration
    let special = concentration?.float.special
    for (name, unit) in [("mg_dl", GlucoseUnit.Display.milligramsPerDecilitre), ("mmol_l", .millimolesPerLitre)] {
      json.key(name)
      if let concentration, special == nil { json.value(verbatim: concentration.text(in: unit)) } else { json.null() }
    }
    json.member("unit", concentration?.unit.display.rawValue)
    json.member("special", special?.rawValue)
    json.member("type", reading.fields.type?.name)
    json.member("location", reading.fields.location?.name)
    json.key("status")
    json.beginArray()
    for name in reading.statusNames { json.value(name) }
    json.endArray()
  }

  private static func write(_ collected: CollectedContext, _ json: inout JSONWriter) {
    let context = try? unsafe GlucoseMeasurementContext(decoding: collected.value.span.bytes)
    json.beginObject()
    json.member("meal", context?.meal?.name)
    json.member("carbohydrate", context?.carbohydrate?.identifier.name)
    number("carbohydrate_g", context?.carbohydrate?.kilograms, scale: 3, &json)
    json.member("tester", context?.condition?.tester.name)
    json.member("health", context?.condition?.health.name)
    json.member("exercise_s", context?.exercise?.seconds)
    json.member("exercise_percent", context?.exercise?.intensity)
    json.member("medication", context?.medication?.identifier.name)
    number("medication_amount", context?.medication?.amount, scale: context?.medicationScale ?? 0, &json)
    json.member("medication_unit", context?.medicationDisplayUnit)
    number("hba1c_percent", context?.hemoglobinA1c, scale: 0, &json)
    json.member("value", hex(collected.value))
    json.endObject()
  }

  /// A number, or the name of what stands in its place.
  private static func number(_ name: String, _ float: MedicalFloat16?, scale: Int, _ json: inout JSONWriter) {
    json.key(name)
    guard let float else { return json.null() }
    let text = float.decimalText(scaledBy10ToThe: scale)
    if float.special == nil { json.value(verbatim: text) } else { json.value(text) }
  }
}

extension GlucoseMeasurementContext {
  /// From kilograms to milligrams, from litres to millilitres.
  var medicationScale: Int { medicationUnit == .litres ? 3 : 6 }

  /// The unit people read; nil without a medication that is a number.
  var medicationDisplayUnit: String? {
    guard let medication, medication.amount.special == nil else { return nil }
    return medicationUnit == .litres ? "mL" : "mg"
  }
}
