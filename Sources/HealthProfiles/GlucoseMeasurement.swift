/// Glucose Measurement: one result of a meter, 10...17 octets (GLS 3.1, 0x2A18).
///
/// `flags u8 · sequence number u16 · base time 7 · [time offset i16, minutes] · [concentration SFLOAT, type-location u8]
/// · [annunciation u16]`. Reserved flag bits and octets after the last field are kept and never fail a decode (GLP 4.4).
public struct GlucoseMeasurement: Hashable, Sendable {
  /// Starts at 0, one more with each measurement, never used again (GLS 3.1.1.2).
  public var sequenceNumber: UInt16
  /// The meter's internal clock at the measurement (GLS 3.1.1.3).
  public var baseTime: DateTime
  /// Minutes from the base time to the user-facing time; nil means "as in the record before", not 0 (GLS 3.1.1.4).
  public var timeOffset: Int16?
  /// Flag bit 2, which stands there also without a concentration.
  public var unit: GlucoseUnit
  /// Concentration, type and location, which come together (GLS 3.1.1.5).
  public var sample: Sample?
  public var annunciation: SensorStatusAnnunciation?
  /// A context notification with the same sequence number follows (flag bit 4).
  public var contextFollows: Bool
  /// Flag bits 5-7 in place.
  public var reservedFlags: UInt8
  /// Octets after the last field the flags announce.
  public var trailing: [UInt8]

  /// What was measured and where.
  public struct Sample: Hashable, Sendable {
    public var concentration: MedicalFloat16
    public var type: GlucoseSampleType
    public var location: GlucoseSampleLocation

    public init(concentration: MedicalFloat16, type: GlucoseSampleType, location: GlucoseSampleLocation) {
      self.concentration = concentration
      self.type = type
      self.location = location
    }
  }

  public init(
    sequenceNumber: UInt16,
    baseTime: DateTime,
    timeOffset: Int16? = nil,
    unit: GlucoseUnit = .kilogramsPerLitre,
    sample: Sample? = nil,
    annunciation: SensorStatusAnnunciation? = nil,
    contextFollows: Bool = false,
    reservedFlags: UInt8 = 0,
    trailing: [UInt8] = []
  ) {
    self.sequenceNumber = sequenceNumber
    self.baseTime = baseTime
    self.timeOffset = timeOffset
    self.unit = unit
    self.sample = sample
    self.annunciation = annunciation
    self.contextFollows = contextFollows
    self.reservedFlags = reservedFlags
    self.trailing = trailing
  }

  /// Concentration in the unit it was sent in.
  public var concentration: GlucoseConcentration? { sample.map { GlucoseConcentration($0.concentration, unit: unit) } }

  public var type: GlucoseSampleType? { sample?.type }

  public var location: GlucoseSampleLocation? { sample?.location }

  /// Base time plus time offset; without an offset the one in force is given by the caller (GLS 3.1.1.4).
  ///
  /// Nil where the base time is no valid date.
  public func userFacingTime(offsetInForce: Int16 = 0) -> DateTime? {
    baseTime.adding(minutes: Int(timeOffset ?? offsetInForce))
  }
}
