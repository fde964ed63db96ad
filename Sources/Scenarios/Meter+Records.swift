public import HealthProfiles

extension Meter {
  /// The record of a sequence number, the same on every call; `withOffset` where the Time Offset is to be sent.
  public func measurement(_ number: UInt16, withOffset: Bool = true) -> GlucoseMeasurement {
    let place = Int(number) - Int(firstSequenceNumber)
    let second = firstBaseTime + Int64(place) * Int64(minutesApart) * 60
    let time = DateTime(secondsSince1970: second) ?? DateTime(year: 2026, month: 1, day: 1)
    let float: MedicalFloat16?
    switch unit {
    // Whole mg/dL and tenths of mmol/L: the exponents the test suite expects (GLS 3.1.1.5).
    case .kilogramsPerLitre: float = MedicalFloat16(mantissa: 80 + (Int(number) * 37 + seed * 11) % 160, exponent: -5)
    case .molesPerLitre: float = MedicalFloat16(mantissa: 45 + (Int(number) * 23 + seed * 7) % 110, exponent: -4)
    }
    return GlucoseMeasurement(
      sequenceNumber: number,
      baseTime: time,
      timeOffset: withOffset ? offset(of: number) : nil,
      unit: unit,
      sample: GlucoseMeasurement.Sample(
        concentration: float ?? .notANumber,
        type: .capillaryWholeBlood,
        location: number % 5 == 0 ? .alternateSite : .finger
      ),
      contextFollows: hasContext(number)
    )
  }

  /// The Time Offset of a record in minutes.
  public func offset(of number: UInt16) -> Int16 {
    guard let clockChange, number >= clockChange.from else { return timeOffset }
    return clockChange.timeOffset
  }

  /// True where the record has a context.
  public func hasContext(_ number: UInt16) -> Bool { contextEvery > 0 && number % contextEvery == 0 }

  /// The context of a record, the same on every call; whether the record has one is `hasContext`.
  public func context(_ number: UInt16) -> GlucoseMeasurementContext {
    var context = GlucoseMeasurementContext(sequenceNumber: number)
    context.meal = Meal(rawValue: UInt8(number / max(1, contextEvery) % 2 + 1))
    context.condition = GlucoseMeasurementContext.Condition(
      tester: Tester(rawValue: 1),
      health: HealthCondition(rawValue: 5)
    )
    if number % 8 == 0, let amount = MedicalFloat16(mantissa: 30 + Int(number % 50), exponent: -3) {
      context.carbohydrate = GlucoseMeasurementContext.Carbohydrate(
        identifier: CarbohydrateIdentifier(rawValue: UInt8(number / 8 % 3 + 1)),
        kilograms: amount
      )
    }
    return context
  }
}
