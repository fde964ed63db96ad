import BluetoothWire
import HealthProfiles
import LinkTrace

/// One record as it came, decoded as far as its octets go; nothing in it is on the heap.
struct RecordRow {
  /// Index of the PDU in the link's history.
  var pdu = 0
  var kind = Kind.measurement
  /// Ordinal of the procedure on the link from 1, 0 for none.
  var procedure: UInt32 = 0
  var isComplete = false
  /// How its procedure ended is not in the capture.
  var isEndUnknown = false
  var isAfterResult = false
  /// Not 0 where it may be of another procedure as well: as in `ProcedureSpans.Place`.
  var company: UInt32 = 0
  var frame: UInt32 = 0
  /// When it was received, microseconds since 1970.
  var time: Int64 = 0
  var sequence: UInt16 = 0
  var hasSequence = false
  var baseTime = DateTime(year: 0, month: 0, day: 0)
  var hasBaseTime = false
  /// Minutes; where `isCarried` those of the record before.
  var offset: Int16 = 0
  var hasOffset = false
  var isCarried = false
  var unit = GlucoseUnit.kilogramsPerLitre
  var concentration = MedicalFloat16(word: 0)
  var hasConcentration = false
  /// Type in the low, location in the high nibble.
  var typeAndLocation: UInt8 = 0
  var hasType = false
  var annunciation: UInt16 = 0
  /// Index of the context's PDU, or -1.
  var context = -1
  var repetition = Repetition.none
  var isClipped = false
  /// Where in the value the octets start that no field holds; `Int.max` where every octet has its field.
  var undecodedFrom = Int.max

  /// What the PDU carries.
  enum Kind {
    case measurement
    /// A context that belongs to no measurement before it.
    case context
    /// A record of a characteristic whose fields are not decoded.
    case opaque

    var name: String {
      switch self {
      case .measurement: "measurement"
      case .context: "context"
      case .opaque: "opaque"
      }
    }
  }

  /// What the record is to the ones that came before with the same number from the same device.
  enum Repetition {
    case none, same, changed

    var name: String {
      switch self {
      case .none: ""
      case .same: "same"
      case .changed: "changed"
      }
    }
  }

  /// True where its last columns are not empty.
  @inline(__always) var isUnusual: Bool { undecodedFrom != .max || company != 0 }

  var concentrationText: GlucoseConcentration { GlucoseConcentration(concentration, unit: unit) }
  var type: GlucoseSampleType { GlucoseSampleType(rawValue: typeAndLocation & 0x0F) }
  var location: GlucoseSampleLocation { GlucoseSampleLocation(rawValue: typeAndLocation >> 4) }

  /// Base time moved by the offset; nil where no offset is known or the base time is no valid date (GLS 3.1.1.4).
  var userFacingTime: DateTime? {
    guard hasOffset, let validBaseTime else { return nil }
    return offset != 0 ? validBaseTime.moved(minutes: Int(offset)) : validBaseTime
  }

  /// The base time where it is a date.
  var validBaseTime: DateTime? { hasBaseTime && baseTime.hasValidFields ? baseTime : nil }
}

extension RecordRow {
  /// Reads a measurement as far as its octets go where the logger cut it; else a value shorter than its flags ask for
  /// is left undecoded.
  @inline(__always)
  mutating func decodeMeasurement(_ value: RawSpan) {
    let count = value.byteCount
    let flags = count > 0 ? value.u8(at: 0) : 0
    let expected = count > 0 ? GlucoseMeasurement.expectedLength(flags: flags) : 10
    if count < expected && !isClipped {
      undecodedFrom = 0
      return
    }
    guard count >= 3 else { return }
    sequence = value.u16(at: 1)
    hasSequence = true
    unit = flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre
    guard count >= 10 else { return }
    baseTime = DateTime(value, at: 3)
    hasBaseTime = true
    var place = 10
    if flags & 0x01 != 0 {
      guard count >= 12 else { return }
      offset = Int16(bitPattern: value.u16(at: 10))
      hasOffset = true
      place = 12
    }
    if flags & 0x02 != 0 {
      guard count >= place &+ 2 else { return }
      concentration = MedicalFloat16(word: value.u16(at: place))
      hasConcentration = true
      guard count >= place &+ 3 else { return }
      typeAndLocation = value.u8(at: place &+ 2)
      hasType = true
      place &+= 3
    }
    if flags & 0x08 != 0 {
      guard count >= place &+ 2 else { return }
      annunciation = value.u16(at: place)
      place &+= 2
    }
    if count > place { undecodedFrom = place }
  }

  /// A hash of the value without its time offset, whose change makes no other record.
  @inline(__always)
  static func hash(_ value: RawSpan) -> UInt32 {
    let count = value.byteCount
    guard count >= 10 else { return count > 0 ? shortHash(value) : 0 }
    let flags = value.u8(at: 0)
    let hash = mixed(value.u64(at: 1), UInt64(value.u8(at: 9)) &<< 8 | UInt64(flags & 0xFE))
    var rest: UInt64 = 1
    var place = min(count, flags & 0x01 != 0 ? 12 : 10)
    while place < count {
      // The sum is never shifted out of a regular value, which has at most five octets here.
      rest = (rest &<< 8 ^ rest &>> 56 &* 0x9E37_79B9) ^ UInt64(value.u8(at: place))
      place &+= 1
    }
    return UInt32(truncatingIfNeeded: mixed(hash, rest) &>> 32)
  }

  @inline(never) private static func shortHash(_ value: RawSpan) -> UInt32 {
    var hash: UInt64 = 0
    for place in 0..<value.byteCount { hash = mixed(hash, UInt64(value.u8(at: place)) &+ 1) }
    return UInt32(truncatingIfNeeded: hash &>> 32)
  }

  @inline(__always) private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word &* 0xD6E8_FEB8_6659_FD93).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
