import BluetoothWire
import HealthProfiles
import RecordCollector
import RecordStore

/// Records of a store as comma-separated values (RFC 4180, lines ended by a line feed): the same columns always.
struct StoreRecordsCSV {
  static let header =
    "sync_identifier,kind,device,address_type,device_name,manufacturer,model,serial,service,epoch,sequence,variant,"
    + "committed,base_time,time_offset,offset_carried,time,mg_dl,mmol_l,unit,special,type,location,status,meal,"
    + "carbohydrate,carbohydrate_g,tester,health,exercise_s,exercise_percent,medication,medication_amount,"
    + "medication_unit,hba1c_percent,context_missing,contexts,value,context_values\n"

  private var device: StoredDevice?

  mutating func begin(_ device: StoredDevice) { self.device = device }

  func write(_ reading: StoredReading, to output: inout OutputBuffer) {
    let stored = reading.stored
    var row = CSVRow()
    begin("record", stored.syncIdentifier, &row)
    row.number(stored.variant)
    var clock = TimeText(.utc)
    row.text(clock.timestamp(stored.committedAt &* 1_000_000))
    row.text(reading.fields.baseTime?.isoText)
    row.number(reading.record.offset)
    row.flag(reading.isOffsetCarried)
    row.text(reading.time?.isoText)
    writeSample(reading, &row)
    writeContext(reading.record.contexts.first, &row)
    row.flag(reading.record.contextIsMissing)
    row.number(reading.record.contexts.count)
    row.text(hex(reading.record.value))
    row.text(reading.record.contexts.map { hex($0.value) }.joined(separator: ";"))
    output.append(row.end())
  }

  func write(_ orphan: StoredOrphan, to output: inout OutputBuffer) {
    var row = CSVRow()
    begin("context", orphan.syncIdentifier, &row)
    row.blank(13)
    writeContext(orphan.context, &row)
    row.blank(1)
    row.number(1)
    row.blank(1)
    row.text(hex(orphan.context.value))
    output.append(row.end())
  }

  private func begin(_ kind: String, _ identifier: SyncIdentifier, _ row: inout CSVRow) {
    row.text(identifier.description)
    row.text(kind)
    row.text(identifier.meter.description)
    row.text(identifier.meter.isRandom ? "random" : "public")
    let identity = device?.identity
    for text in [identity?.name, identity?.manufacturer, identity?.model, identity?.serial] { row.text(text) }
    row.text(hex(UInt64(identifier.service.rawValue), digits: 4))
    row.number(identifier.epoch)
    row.number(identifier.sequenceNumber)
  }

  private func writeSample(_ reading: StoredReading, _ row: inout CSVRow) {
    let concentration = reading.fields.concentration
    let special = concentration?.float.special
    for unit in [GlucoseUnit.Display.milligramsPerDecilitre, .millimolesPerLitre] {
      row.verbatim(special == nil ? concentration?.text(in: unit) : nil)
    }
    row.text(concentration?.unit.display.rawValue)
    row.text(special?.rawValue)
    row.text(reading.fields.type?.name)
    row.text(reading.fields.location?.name)
    row.text(reading.statusNames.joined(separator: ";"))
  }

  private func writeContext(_ collected: CollectedContext?, _ row: inout CSVRow) {
    let context = collected.flatMap { try? unsafe GlucoseMeasurementContext(decoding: $0.value.span.bytes) }
    row.text(context?.meal?.name)
    row.text(context?.carbohydrate?.identifier.name)
    row.number(context?.carbohydrate?.kilograms, scale: 3)
    row.text(context?.condition?.tester.name)
    row.text(context?.condition?.health.name)
    row.number(context?.exercise?.seconds)
    row.number(context?.exercise?.intensity)
    row.text(context?.medication?.identifier.name)
    row.number(context?.medication?.amount, scale: context?.medicationScale ?? 0)
    row.text(context?.medicationDisplayUnit)
    row.number(context?.hemoglobinA1c, scale: 0)
  }
}
