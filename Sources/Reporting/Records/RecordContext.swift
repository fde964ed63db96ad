import BluetoothWire
import HealthProfiles
import LinkTrace

/// A decoded context and the texts of its fields.
struct RecordContext {
  let value: GlucoseMeasurementContext

  /// The context in the PDU at `index`; nil for -1 and for octets that are none.
  init?(_ index: Int, _ history: borrowing LinkHistory) {
    guard index >= 0 else { return nil }
    self.init(history.value(history.pdus[index]))
  }

  /// The context in a characteristic's value; nil for octets that are none.
  init?(_ octets: RawSpan) {
    guard let decoded = try? GlucoseMeasurementContext(decoding: octets) else { return nil }
    value = decoded
  }

  /// `after a meal, lunch 60 g, insulin …`: what a person wants to read.
  var summary: [String] {
    var parts: [String] = []
    if let meal = value.meal { parts.append(meal.name) }
    if let carbohydrate = value.carbohydrate {
      parts.append(carbohydrate.identifier.name + " " + carbohydrate.gramsText + " g")
    }
    if let medication = value.medication {
      parts.append(medication.identifier.name + " " + (value.medicationText ?? ""))
    }
    if let exercise = value.exercise {
      let length = exercise.seconds == .max ? "overrun" : TimeText.duration(Int64(exercise.seconds) * 1_000_000)
      parts.append("exercise \(length) at \(exercise.intensity) %")
    }
    if let condition = value.condition { parts.append(condition.health.name + ", tested by " + condition.tester.name) }
    if let fraction = value.hemoglobinA1c { parts.append("HbA1c " + fraction.decimalText() + " %") }
    return parts
  }
}
