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
  var isAfterResult = false
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

  var concentrationText: GlucoseConcentration { GlucoseConcentration(concentration, unit: unit) }
  var type: GlucoseSampleType { GlucoseSampleType(rawValue: typeAndLocation & 0x0F) }
  var location: GlucoseSampleLocation { GlucoseSampleLocation(rawValue: typeAndLocation >> 4) }

  /// Base time moved by the offset; nil where the base time is no valid date.
  var userFacingTime: DateTime? {
    guard hasBaseTime, baseTime.hasValidFields else { return nil }
    return hasOffset && offset != 0 ? baseTime.moved(minutes: Int(offset)) : baseTime
  }
}

extension RecordRow {
  /// Reads a measurement from `count` octets at `start`, which the caller has checked.
  ///
  /// A value shorter than its flags ask for is read as far as it goes where the logger cut it, and left undecoded where
  /// it came so.
  @inline(__always)
  mutating func decodeMeasurement(_ bytes: RawSpan, _ start: Int, _ count: Int, isClipped: Bool) {
    self.isClipped = isClipped
    let flags = count > 0 ? bytes.u8(at: start) : 0
    let expected = count > 0 ? GlucoseMeasurement.expectedLength(flags: flags) : 10
    if count < expected && !isClipped {
      undecodedFrom = 0
      return
    }
    guard count >= 3 else { return }
    sequence = bytes.u16(at: start + 1)
    hasSequence = true
    unit = flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre
    guard count >= 10 else { return }
    baseTime = DateTime(bytes, at: start + 3)
    hasBaseTime = true
    var place = 10
    if flags & 0x01 != 0 {
      guard count >= place + 2 else { return }
      offset = Int16(bitPattern: bytes.u16(at: start + place))
      hasOffset = true
      place += 2
    }
    if flags & 0x02 != 0 {
      guard count >= place + 2 else { return }
      concentration = MedicalFloat16(word: bytes.u16(at: start + place))
      hasConcentration = true
      guard count >= place + 3 else { return }
      typeAndLocation = bytes.u8(at: start + place + 2)
      hasType = true
      place += 3
    }
    if flags & 0x08 != 0 {
      guard count >= place + 2 else { return }
      annunciation = bytes.u16(at: start + place)
      place += 2
    }
    if count > place { undecodedFrom = place }
  }

  /// FNV-1a of the value without its time offset, whose change makes no other record.
  @inline(__always)
  static func hash(_ bytes: RawSpan, _ start: Int, _ count: Int) -> UInt32 {
    guard count > 0 else { return 0 }
    let flags = bytes.u8(at: start)
    var hash = (0x811C_9DC5 ^ UInt32(flags & 0xFE)) &* 0x0100_0193
    for place in 1..<max(1, min(10, count)) { hash = (hash ^ UInt32(bytes.u8(at: start + place))) &* 0x0100_0193 }
    let rest = flags & 0x01 != 0 ? 12 : 10
    guard count > rest else { return hash }
    for place in rest..<count { hash = (hash ^ UInt32(bytes.u8(at: start + place))) &* 0x0100_0193 }
    return hash
  }
}
