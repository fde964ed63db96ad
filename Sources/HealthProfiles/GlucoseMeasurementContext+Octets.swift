public import BluetoothWire

extension GlucoseMeasurementContext {
  /// How many octets the flags announce: 3 + b7 + 3·b0 + b1 + b2 + 3·b3 + 3·b4 + 2·b6.
  @inlinable public static func expectedLength(flags: UInt8) -> Int {
    let triples = (flags & 0x01).nonzeroBitCount + (flags & 0x18).nonzeroBitCount
    return 3 + 3 * triples + (flags & 0x86).nonzeroBitCount + Int(flags & 0x40) >> 5
  }

  /// Flags that agree with the fields; all eight bits are defined.
  public var flags: UInt8 {
    var flags: UInt8 = 0
    if carbohydrate != nil { flags |= 0x01 }
    if meal != nil { flags |= 0x02 }
    if condition != nil { flags |= 0x04 }
    if exercise != nil { flags |= 0x08 }
    if medication != nil { flags |= 0x10 }
    if medicationUnit == .litres { flags |= 0x20 }
    if hemoglobinA1c != nil { flags |= 0x40 }
    if extendedFlags != nil { flags |= 0x80 }
    return flags
  }

  /// Fails only where an announced field is missing; the error tells how many octets the flags ask for.
  public init(decoding bytes: RawSpan) throws(WireError) {
    let count = bytes.byteCount
    guard count >= 1 else { throw WireError(.characteristic, offset: 0, needed: 4, available: 0) }
    let expected = Self.expectedLength(flags: bytes.u8(at: 0))
    guard count >= expected else {
      throw WireError(.characteristic, offset: count, needed: expected, available: count)
    }
    var reader = ByteReader(bytes, layer: .characteristic)
    let flags = try reader.u8()
    self.init(sequenceNumber: try reader.u16(), medicationUnit: flags & 0x20 == 0 ? .kilograms : .litres)
    if flags & 0x80 != 0 { extendedFlags = try reader.u8() }
    if flags & 0x01 != 0 {
      let identifier = CarbohydrateIdentifier(rawValue: try reader.u8())
      carbohydrate = Carbohydrate(identifier: identifier, kilograms: MedicalFloat16(word: try reader.u16()))
    }
    if flags & 0x02 != 0 { meal = Meal(rawValue: try reader.u8()) }
    if flags & 0x04 != 0 {
      let octet = try reader.u8()
      // Tester comes first in the specification's table and so is the low nibble.
      condition = Condition(tester: Tester(rawValue: octet & 0x0F), health: HealthCondition(rawValue: octet >> 4))
    }
    if flags & 0x08 != 0 { exercise = Exercise(seconds: try reader.u16(), intensity: try reader.u8()) }
    if flags & 0x10 != 0 {
      let identifier = MedicationIdentifier(rawValue: try reader.u8())
      medication = Medication(identifier: identifier, amount: MedicalFloat16(word: try reader.u16()))
    }
    if flags & 0x40 != 0 { hemoglobinA1c = MedicalFloat16(word: try reader.u16()) }
    trailing = reader.rest()
  }

  /// The value as a meter sends it.
  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.u8(flags)
    writer.u16(sequenceNumber)
    if let extendedFlags { writer.u8(extendedFlags) }
    if let carbohydrate {
      writer.u8(carbohydrate.identifier.rawValue)
      writer.u16(carbohydrate.kilograms.word)
    }
    if let meal { writer.u8(meal.rawValue) }
    if let condition { writer.u8(condition.tester.rawValue | condition.health.rawValue << 4) }
    if let exercise {
      writer.u16(exercise.seconds)
      writer.u8(exercise.intensity)
    }
    if let medication {
      writer.u8(medication.identifier.rawValue)
      writer.u16(medication.amount.word)
    }
    if let hemoglobinA1c { writer.u16(hemoglobinA1c.word) }
    writer.append(trailing)
    return writer.octets
  }
}
