import BluetoothWire
import FetchComparison
import HealthProfiles

/// The value of one field of a delivery in words; nil for a field that is not there.
enum FieldText {
  static func of(_ field: RecordField, _ record: ComparedRecord, in device: FetchedDevice) -> String? {
    let context = device.context(of: record)
    let fields = context?.fields
    switch field {
    case .concentration: return record.concentration.map { "\($0)" }
    case .unit: return record.concentration?.unit.display.rawValue
    case .type: return record.type?.name
    case .location: return record.location?.name
    case .status:
      return record.annunciation.map { $0.names.isEmpty ? "nothing" : $0.names.joined(separator: ", ") }
    case .timeOffset: return record.offset.map { "\($0) min" }
    case .undecodedOctets: return nil
    case .context:
      guard context != nil else { return record.promisesContext ? "announced, did not come" : nil }
      guard let fields else { return "unreadable" }
      let parts = RecordContext(fields).summary
      return parts.isEmpty ? "empty" : parts.joined(separator: ", ")
    case .carbohydrate: return fields?.carbohydrate.map { $0.identifier.name + " " + $0.gramsText + " g" }
    case .meal: return fields?.meal?.name
    case .tester: return fields?.condition?.tester.name
    case .health: return fields?.condition?.health.name
    case .exercise: return fields?.exercise.map { "\($0.seconds) s at \($0.intensity) %" }
    case .medication:
      return fields?.medication.map { $0.identifier.name + " " + (fields?.medicationText ?? "") }
    case .hemoglobinA1c: return fields?.hemoglobinA1c.map { $0.decimalText() + " %" }
    case .otherContextOctets: return nil
    }
  }
}

extension RecordContext {
  fileprivate init(_ value: GlucoseMeasurementContext) { self.value = value }
}
