/// Glucose Measurement Context: what belongs to a measurement, 4...17 octets (GLS 3.2, 0x2A34).
///
/// `flags u8 · sequence number u16 · [extended flags u8] · [carbohydrate ID u8, SFLOAT kg] · [meal u8] ·
/// [tester-health u8] · [duration u16 s, intensity u8 %] · [medication ID u8, SFLOAT kg or L] · [HbA1c SFLOAT %]`.
public struct GlucoseMeasurementContext: Hashable, Sendable {
  /// That of the measurement it belongs to.
  public var sequenceNumber: UInt16
  /// All reserved; present where flag bit 7 is set.
  public var extendedFlags: UInt8?
  public var carbohydrate: Carbohydrate?
  public var meal: Meal?
  public var condition: Condition?
  public var exercise: Exercise?
  /// Flag bit 5, which stands there also without a medication.
  public var medicationUnit: MedicationUnit
  public var medication: Medication?
  /// Percent.
  public var hemoglobinA1c: MedicalFloat16?
  /// Octets after the last field the flags announce.
  public var trailing: [UInt8]

  public init(
    sequenceNumber: UInt16,
    extendedFlags: UInt8? = nil,
    carbohydrate: Carbohydrate? = nil,
    meal: Meal? = nil,
    condition: Condition? = nil,
    exercise: Exercise? = nil,
    medicationUnit: MedicationUnit = .kilograms,
    medication: Medication? = nil,
    hemoglobinA1c: MedicalFloat16? = nil,
    trailing: [UInt8] = []
  ) {
    self.sequenceNumber = sequenceNumber
    self.extendedFlags = extendedFlags
    self.carbohydrate = carbohydrate
    self.meal = meal
    self.condition = condition
    self.exercise = exercise
    self.medicationUnit = medicationUnit
    self.medication = medication
    self.hemoglobinA1c = hemoglobinA1c
    self.trailing = trailing
  }

  /// True where at least one field beyond the sequence number says something, as it must (GLS 3.2).
  public var hasContent: Bool {
    carbohydrate != nil || meal != nil || condition != nil || exercise != nil || medication != nil
      || hemoglobinA1c != nil
  }
}

extension GlucoseMeasurementContext {
  /// What was eaten; the amount in kilograms.
  public struct Carbohydrate: Hashable, Sendable {
    public var identifier: CarbohydrateIdentifier
    public var kilograms: MedicalFloat16

    public init(identifier: CarbohydrateIdentifier, kilograms: MedicalFloat16) {
      self.identifier = identifier
      self.kilograms = kilograms
    }

    /// Exact decimal text in grams.
    public var gramsText: String { kilograms.decimalText(scaledBy10ToThe: 3) }
  }

  /// Who measured and how the person was: the two nibbles of Tester-Health.
  public struct Condition: Hashable, Sendable {
    public var tester: Tester
    public var health: HealthCondition

    public init(tester: Tester, health: HealthCondition) {
      self.tester = tester
      self.health = health
    }
  }

  /// Exercise before the measurement.
  public struct Exercise: Hashable, Sendable {
    /// Seconds; 0xFFFF where it was longer than the field can tell.
    public var seconds: UInt16
    /// Percent.
    public var intensity: UInt8

    public init(seconds: UInt16, intensity: UInt8) {
      self.seconds = seconds
      self.intensity = intensity
    }
  }

  /// The unit of a medication on the wire (GLS 3.2.1.8).
  public enum MedicationUnit: String, Hashable, Sendable {
    case kilograms = "kg"
    case litres = "L"
  }

  /// Insulin taken; the amount in the context's `medicationUnit`.
  public struct Medication: Hashable, Sendable {
    public var identifier: MedicationIdentifier
    public var amount: MedicalFloat16

    public init(identifier: MedicationIdentifier, amount: MedicalFloat16) {
      self.identifier = identifier
      self.amount = amount
    }
  }

  /// `12 mg` or `0.5 mL`: the medication in the unit people read.
  public var medicationText: String? {
    guard let amount = medication?.amount else { return nil }
    if amount.special != nil { return amount.decimalText() }
    switch medicationUnit {
    case .kilograms: return amount.decimalText(scaledBy10ToThe: 6) + " mg"
    case .litres: return amount.decimalText(scaledBy10ToThe: 3) + " mL"
    }
  }
}
