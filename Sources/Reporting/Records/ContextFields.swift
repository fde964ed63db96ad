import BluetoothWire
import HealthProfiles
import LinkTrace

/// Where the fields of a Glucose Measurement Context stand (GLS 3.2).
struct ContextFields {
  let flags: UInt8
  let carbohydrate: Int
  let meal: Int
  let condition: Int
  let exercise: Int
  let medication: Int
  let hemoglobin: Int

  /// Nil where the value is shorter than its flags ask for.
  @inline(__always) init?(_ value: RawSpan) {
    guard value.byteCount >= 3 else { return nil }
    flags = value.u8(at: 0)
    let bits = Int(flags)
    carbohydrate = 3 &+ bits &>> 7
    meal = carbohydrate &+ 3 &* (bits & 1)
    condition = meal &+ bits &>> 1 & 1
    exercise = condition &+ bits &>> 2 & 1
    medication = exercise &+ 3 &* (bits &>> 3 & 1)
    hemoglobin = medication &+ 3 &* (bits &>> 4 & 1)
    guard value.byteCount >= hemoglobin &+ 2 &* (bits &>> 6 & 1) else { return nil }
  }

  /// The fields of the context in a PDU: none of them where the logger cut it; nil where it is too short by itself.
  @inline(__always) init?(_ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    if let fields = ContextFields(history.value(pdu)) {
      self = fields
    } else if pdu.isClipped {
      self = .cut
    } else {
      return nil
    }
  }

  private init(flags: UInt8) {
    self.flags = flags
    (carbohydrate, meal, condition, exercise, medication, hemoglobin) = (3, 3, 3, 3, 3, 3)
  }

  private static let cut = ContextFields(flags: 0)

  var hasCarbohydrate: Bool { flags & 0x01 != 0 }
  var hasMeal: Bool { flags & 0x02 != 0 }
  var hasCondition: Bool { flags & 0x04 != 0 }
  var hasExercise: Bool { flags & 0x08 != 0 }
  var hasMedication: Bool { flags & 0x10 != 0 }
  var isLitres: Bool { flags & 0x20 != 0 }
  var hasHemoglobin: Bool { flags & 0x40 != 0 }
  /// From kilograms to milligrams, from litres to millilitres.
  var medicationScale: Int { isLitres ? 3 : 6 }
}

extension MedicalFloat16 {
  /// True for the five words that are no numbers, which lie side by side.
  @inline(__always) var isSpecial: Bool { word &- 0x07FE <= 4 }
}
