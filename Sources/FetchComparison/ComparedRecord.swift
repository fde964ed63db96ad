import BluetoothWire
public import HealthProfiles

/// One delivery of a glucose measurement in 40 octets: its fields as they came, and where they came from (GLS 3.1).
///
/// Fields the flags do not announce, and those the logger cut, are absent; `isClipped` tells the two apart.
public struct ComparedRecord: Sendable {
  /// Base time, packed so that two compare as numbers; 0 where the value ends before it.
  var time: UInt64 = 0
  /// The frame that completed it; 0 for a row of a store.
  public var frame: UInt32 = 0
  /// Index into the places of its side.
  var place: UInt32 = 0
  /// Index into the contexts of its device, counted from 1; 0 for none.
  var contextOrdinal: UInt32 = 0
  /// A checksum of the octets that no field holds; 0 where there are none.
  var undecoded: UInt32 = 0
  public internal(set) var sequenceNumber: UInt16 = 0
  private var offsetMinutes: Int16 = 0
  private var concentrationWord: UInt16 = 0
  private var annunciationWord: UInt16 = 0
  private var typeAndLocation: UInt8 = 0
  private var flags: UInt8 = 0
  private var marks: UInt8 = 0

  private static let clipped: UInt8 = 1
  private static let hasOffset: UInt8 = 2
  private static let hasConcentration: UInt8 = 4
  private static let hasType: UInt8 = 8
  private static let hasAnnunciation: UInt8 = 16

  /// Reads a characteristic's value as far as its octets go; nil where it ends before the sequence number, or where it
  /// is shorter than its flags ask for and no logger cut it.
  init?(_ value: RawSpan, isClipped: Bool) {
    let count = value.byteCount
    guard count >= 3 else { return nil }
    flags = value.u8(at: 0)
    if !isClipped && count < GlucoseMeasurement.expectedLength(flags: flags) { return nil }
    if isClipped { marks = Self.clipped }
    sequenceNumber = value.u16(at: 1)
    guard count >= 10 else { return }
    time =
      UInt64(value.u16(at: 3)) << 40 | UInt64(value.u8(at: 5)) << 32 | UInt64(value.u8(at: 6)) << 24
      | UInt64(value.u8(at: 7)) << 16 | UInt64(value.u8(at: 8)) << 8 | UInt64(value.u8(at: 9))
    var place = 10
    if flags & 0x01 != 0 {
      guard count >= 12 else { return }
      offset = Int16(bitPattern: value.u16(at: 10))
      place = 12
    }
    if flags & 0x02 != 0 {
      guard count >= place + 2 else { return }
      concentrationWord = value.u16(at: place)
      marks |= Self.hasConcentration
      guard count >= place + 3 else { return }
      typeAndLocation = value.u8(at: place + 2)
      marks |= Self.hasType
      place += 3
    }
    if flags & 0x08 != 0 {
      guard count >= place + 2 else { return }
      annunciationWord = value.u16(at: place)
      marks |= Self.hasAnnunciation
      place += 2
    }
    if place < count { undecoded = Checksum.of(value, from: place) }
  }

  /// True where the logger cut the value: what is absent may have been there.
  public var isClipped: Bool { marks & Self.clipped != 0 }

  /// The meter's clock at the measurement; nil where the logger cut it.
  public var baseTime: DateTime? {
    guard time != 0 else { return nil }
    return DateTime(
      year: UInt16(truncatingIfNeeded: time >> 40),
      month: UInt8(truncatingIfNeeded: time >> 32),
      day: UInt8(truncatingIfNeeded: time >> 24),
      hours: UInt8(truncatingIfNeeded: time >> 16),
      minutes: UInt8(truncatingIfNeeded: time >> 8),
      seconds: UInt8(truncatingIfNeeded: time)
    )
  }

  /// The offset in force: its own, or the last one received in the same report, in minutes; nil where there was none.
  public internal(set) var offset: Int16? {
    get { marks & Self.hasOffset != 0 ? offsetMinutes : nil }
    set {
      offsetMinutes = newValue ?? 0
      marks = newValue == nil ? marks & ~Self.hasOffset : marks | Self.hasOffset
    }
  }

  public var concentration: GlucoseConcentration? {
    guard marks & Self.hasConcentration != 0 else { return nil }
    let unit: GlucoseUnit = flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre
    return GlucoseConcentration(MedicalFloat16(word: concentrationWord), unit: unit)
  }

  public var type: GlucoseSampleType? {
    marks & Self.hasType != 0 ? GlucoseSampleType(rawValue: typeAndLocation & 0x0F) : nil
  }

  public var location: GlucoseSampleLocation? {
    marks & Self.hasType != 0 ? GlucoseSampleLocation(rawValue: typeAndLocation >> 4) : nil
  }

  public var annunciation: SensorStatusAnnunciation? {
    marks & Self.hasAnnunciation != 0 ? SensorStatusAnnunciation(rawValue: annunciationWord) : nil
  }

  /// True where the measurement announces a context (flag bit 4).
  public var promisesContext: Bool { flags & 0x10 != 0 }

  /// Base time moved by the offset; nil where no offset is known or the base time is no valid date (GLS 3.1.1.4).
  public var userFacingTime: DateTime? { offset.flatMap { baseTime?.adding(minutes: Int($0)) } }
}
