import BluetoothWire
import HealthProfiles
import LinkTrace

/// What one walk over a link's measurements and contexts tells the rules about their contents.
///
/// Records are most of a link. A record with nothing odd costs a few comparisons and no allocation; of each oddity the
/// first cases are kept, so that a damaged or hostile capture does not make it grow with the link.
struct RecordScan: Sendable {
  /// Measurements and contexts of the sensor, and measurements with an annunciation.
  private(set) var measurements = 0
  private(set) var contexts = 0
  private(set) var annunciations = 0
  /// Every annunciation bit that came.
  private(set) var annunciation: UInt16 = 0
  /// Measurements that announce a context, and the measurement or result that came in its place.
  private(set) var withoutContext: [AttributeExchanges.Pair] = []
  /// One entry for each oddity; empty where nothing is odd.
  private var odd: [OddRecords] = []

  /// Cases of a missing context kept.
  private static let limit = 256

  /// The measurement before: its place, number, flags and the length they ask for, bearer, date and offset in force.
  private var last = AttributePDU.none
  private var lastNumber: UInt16 = 0
  private var lastFlags: UInt8 = 0
  private var lastLength = 10
  private var lastBearer: UInt8 = 0
  private var lastDate: UInt32 = 0
  private var lastDateOddity = RecordOddity.impossibleDate.bit
  private var lastOffset: Int16 = 0
  private var offsetPlace = AttributePDU.none
  private var announcing = AttributePDU.none
  /// The context of that measurement; none where it has none so far.
  private var lastContext = AttributePDU.none
  private var lastContextStart: UInt32 = 0
  private var lastContextCount: UInt16 = 0
  /// True where a measurement could not have come unseen.
  private let namesWhole: Bool

  init(_ history: borrowing LinkHistory) {
    let slots = RecordSlots(history)
    namesWhole = history.start != nil && slots.measurement >= 0
    guard slots.measurement >= 0 || slots.context >= 0 else { return }
    let arena = history.arena.bytes
    let pdus = history.pdus.span
    for index in 0..<pdus.count {
      let slot = Int32(pdus[index].attribute)
      if slot == slots.measurement {
        let isDelivery = pdus[index].isDelivery
        if isDelivery { measurement(UInt32(truncatingIfNeeded: index), pdus[index], arena) }
      } else if slot == slots.context {
        let isDelivery = pdus[index].isDelivery
        if isDelivery { context(UInt32(truncatingIfNeeded: index), pdus[index], arena) }
      } else if slot == slots.controlPoint && pdus[index].opcodeValue == 0x1D && announcing != AttributePDU.none {
        lacking(UInt32(truncatingIfNeeded: index))
      }
    }
  }

  var hasOddities: Bool { !odd.isEmpty }

  /// The records that are odd in this way.
  subscript(_ oddity: RecordOddity) -> OddRecords {
    odd.isEmpty ? OddRecords() : odd[Int(oddity.rawValue)]
  }

  // MARK: Measurements

  @inline(__always)
  private mutating func measurement(_ index: UInt32, _ pdu: AttributePDU, _ arena: RawSpan) {
    measurements &+= 1
    lastContext = AttributePDU.none
    if announcing != AttributePDU.none { lacking(index) }
    guard pdu.valueCount >= 10 else { return cutMeasurement(index, pdu, arena) }
    // Few wide reads: flags, number, year, month, day and hours in the first eight octets.
    let value = arena.part(Int(pdu.valueStart), Int(pdu.valueCount))
    let count = value.byteCount
    let head = value.u64(at: 0)
    let flags = UInt8(truncatingIfNeeded: head)
    if flags & 0x10 != 0 { announcing = index }
    let number = UInt16(truncatingIfNeeded: head &>> 8)
    var bits = time(head, minutesAndSeconds: value.u16(at: 8))
    if flags & 0xE0 != 0 { bits |= RecordOddity.reservedFlags.bit }
    // The flags of nearly every record are those of the one before.
    if flags != lastFlags { lastLength = GlucoseMeasurement.expectedLength(flags: flags) }
    let expected = lastLength
    if count < expected {
      if !pdu.isClipped { bits |= RecordOddity.shortMeasurement.bit }
    } else {
      if count > expected { bits |= RecordOddity.trailingMeasurement.bit }
      bits |= fields(value, flags, number, index)
    }
    if bits != 0 { note(bits, index) }
    last = index
    lastNumber = number
    lastFlags = flags
    lastBearer = pdu.bearer
  }

  /// A measurement that ends before its Base Time does.
  @inline(never)
  private mutating func cutMeasurement(_ index: UInt32, _ pdu: AttributePDU, _ arena: RawSpan) {
    let value = arena.part(Int(pdu.valueStart), Int(pdu.valueCount))
    if value.byteCount >= 1 && value.u8(at: 0) & 0x10 != 0 { announcing = index }
    if !pdu.isClipped && !pdu.isValueDropped {
      let isFlagged = value.byteCount >= 1 && value.u8(at: 0) & 0xE0 != 0
      note(RecordOddity.shortMeasurement.bit | (isFlagged ? RecordOddity.reservedFlags.bit : 0), index)
    }
    guard value.byteCount >= 3 else {
      last = AttributePDU.none
      return
    }
    last = index
    lastNumber = value.u16(at: 1)
    lastFlags = value.u8(at: 0)
    lastLength = GlucoseMeasurement.expectedLength(flags: lastFlags)
    lastBearer = pdu.bearer
  }

  /// Base Time (GLS 3.1.1.3); consecutive records mostly share their date.
  @inline(__always)
  private mutating func time(_ head: UInt64, minutesAndSeconds: UInt16) -> UInt32 {
    let date = UInt32(truncatingIfNeeded: head &>> 24)
    if date != lastDate {
      lastDate = date
      lastDateOddity = Self.dateOddity(
        year: UInt16(truncatingIfNeeded: date),
        month: UInt8(truncatingIfNeeded: date &>> 16),
        day: UInt8(truncatingIfNeeded: date &>> 24)
      )
    }
    let isTimeOfDay = head &>> 56 < 24 && minutesAndSeconds & 0xFF < 60 && minutesAndSeconds &>> 8 < 60
    return isTimeOfDay ? lastDateOddity : lastDateOddity | RecordOddity.impossibleDate.bit
  }

  private static func dateOddity(year: UInt16, month: UInt8, day: UInt8) -> UInt32 {
    if year < 1582 || year > 9999 || month == 0 || month > 12 || day == 0 || day > 31 {
      return RecordOddity.impossibleDate.bit
    }
    return day > DateTime.days(inMonth: month, ofYear: year) ? RecordOddity.dayBeyondMonth.bit : 0
  }

  /// The optional fields of a measurement whose announced octets are all there.
  @inline(__always)
  private mutating func fields(_ value: RawSpan, _ flags: UInt8, _ number: UInt16, _ index: UInt32) -> UInt32 {
    var bits: UInt32 = 0
    var place = 10
    if flags & 0x01 != 0 {
      bits |= offset(Int16(bitPattern: value.u16(at: place)), number, index)
      place = 12
    }
    if flags & 0x02 != 0 {
      // The octet before the field is there as well: one read for word and type-location.
      let field = value.u32(at: place &- 1) &>> 8
      let word = UInt16(truncatingIfNeeded: field)
      let mantissa = word & 0x0FFF
      // Ordinary readings: whole mg/dL up to 1000, tenths of mmol/L up to 60.
      let isOrdinary =
        flags & 0x04 == 0
        ? word >> 12 == 0xB && mantissa >= 1 && mantissa <= 1000 : word >> 12 == 0xC && mantissa >= 1 && mantissa <= 600
      let kind = UInt8(truncatingIfNeeded: field &>> 16)
      if !isOrdinary { bits |= Self.concentration(word, kind, flags, value, place + 3) }
      // Types 1–10; locations 1–4 and 15.
      if 0x07FE &>> UInt32(kind & 0x0F) & 1 == 0 { bits |= RecordOddity.reservedType.bit }
      if 0x801E &>> UInt32(kind >> 4) & 1 == 0 { bits |= RecordOddity.reservedLocation.bit }
      place &+= 3
    }
    if flags & 0x08 != 0 {
      let met = value.u16(at: place)
      annunciations &+= 1
      annunciation |= met
      if met & 0xF000 != 0 { bits |= RecordOddity.reservedAnnunciation.bit }
    }
    return bits
  }

  /// Time Offset: the ends of its range, and steps of more than a day between a record and the next one.
  private mutating func offset(_ minutes: Int16, _ number: UInt16, _ index: UInt32) -> UInt32 {
    var bits: UInt32 = 0
    if minutes == .min || minutes == .max || minutes == -.max { bits = RecordOddity.extremeOffset.bit }
    // A lower number begins another transfer: the two are no neighbours.
    if offsetPlace != AttributePDU.none && last != AttributePDU.none && number > lastNumber
      && abs(Int32(minutes) - Int32(lastOffset)) > 1440
    {
      bits |= RecordOddity.offsetStep.bit
    }
    lastOffset = minutes
    offsetPlace = index
    return bits
  }

  /// A concentration that is no ordinary reading.
  private static func concentration(
    _ word: UInt16,
    _ kind: UInt8,
    _ flags: UInt8,
    _ value: RawSpan,
    _ next: Int
  ) -> UInt32 {
    let float = MedicalFloat16(word: word)
    if float.special != nil { return RecordOddity.specialValue.bit }
    // Control solution, and results beyond what the meter can process.
    if kind & 0x0F == 0x0A || kind >> 4 == 4 { return 0 }
    if flags & 0x08 != 0 && value.u16(at: next) & 0x0060 != 0 { return 0 }
    // In units of 10^-8: at most 2048 × 10^15.
    var amount = Int64(float.mantissa)
    for _ in 0..<(float.exponent + 8) { amount *= 10 }
    let isMass = flags & 0x04 == 0
    let highest: Int64 = isMass ? 1_000_000 : 6_000_000
    let lowest: Int64 = isMass ? 1000 : 6000
    return amount != 0 && (amount > highest || amount < lowest) ? RecordOddity.implausibleUnit.bit : 0
  }

  // MARK: Contexts

  private mutating func context(_ index: UInt32, _ pdu: AttributePDU, _ arena: RawSpan) {
    contexts &+= 1
    announcing = AttributePDU.none
    let value = arena.part(Int(pdu.valueStart), Int(pdu.valueCount))
    let count = value.byteCount
    guard count >= 3 else {
      if !pdu.isClipped && !pdu.isValueDropped { note(RecordOddity.shortContext.bit, index) }
      return
    }
    let flags = value.u8(at: 0)
    var bits: UInt32 = 0
    let expected = GlucoseMeasurementContext.expectedLength(flags: flags)
    if count < expected {
      if !pdu.isClipped { bits |= RecordOddity.shortContext.bit }
    } else {
      if count > expected { bits |= RecordOddity.trailingContext.bit }
      bits |= Self.contextFields(value, flags)
    }
    if flags & 0xDF == 0 { bits |= RecordOddity.emptyContext.bit }
    if last == AttributePDU.none {
      if measurements == 0 && namesWhole { bits |= RecordOddity.orphanContext.bit }
    } else if pdu.bearer == lastBearer {
      // Bearers are not ordered among each other.
      if value.u16(at: 1) != lastNumber {
        bits |= RecordOddity.orphanContext.bit
      } else if lastFlags & 0x10 == 0 {
        bits |= RecordOddity.uninvitedContext.bit
      } else if lastContext != AttributePDU.none {
        if !pdu.isClipped && isSame(value, arena) { bits |= RecordOddity.repeatedContext.bit }
      } else {
        lastContext = index
        lastContextStart = pdu.valueStart
        lastContextCount = pdu.valueCount
      }
    }
    if bits != 0 { note(bits, index) }
  }

  /// True where a context holds what the one before it held.
  private func isSame(_ value: RawSpan, _ arena: RawSpan) -> Bool {
    let before = arena.part(Int(lastContextStart), Int(lastContextCount))
    guard value.byteCount == before.byteCount else { return false }
    for place in 0..<value.byteCount where value.u8(at: place) != before.u8(at: place) { return false }
    return true
  }

  private static func contextFields(_ value: RawSpan, _ flags: UInt8) -> UInt32 {
    var bits: UInt32 = 0
    var place = 3
    if flags & 0x80 != 0 {
      if value.u8(at: place) != 0 { bits |= RecordOddity.reservedExtendedFlags.bit }
      place += 1
    }
    if flags & 0x01 != 0 {
      if !(1...7).contains(value.u8(at: place)) { bits |= RecordOddity.reservedCarbohydrate.bit }
      place += 3
    }
    if flags & 0x02 != 0 {
      if !(1...5).contains(value.u8(at: place)) { bits |= RecordOddity.reservedMeal.bit }
      place += 1
    }
    if flags & 0x04 != 0 {
      let condition = value.u8(at: place)
      // Tester 1–3 and 15 in the low nibble; health 1–5 and 15 in the high one.
      if 0x800E >> UInt32(condition & 0x0F) & 1 == 0 { bits |= RecordOddity.reservedTester.bit }
      if 0x803E >> UInt32(condition >> 4) & 1 == 0 { bits |= RecordOddity.reservedHealth.bit }
      place += 1
    }
    if flags & 0x08 != 0 { place += 3 }
    if flags & 0x10 != 0, !(1...5).contains(value.u8(at: place)) { bits |= RecordOddity.reservedMedication.bit }
    return bits
  }

  // MARK: What is kept

  private mutating func lacking(_ index: UInt32) {
    if withoutContext.count < Self.limit {
      withoutContext.append(AttributeExchanges.Pair(earlier: announcing, later: index))
    }
    announcing = AttributePDU.none
  }

  private mutating func note(_ bits: UInt32, _ index: UInt32) {
    if odd.isEmpty { odd = Array(repeating: OddRecords(), count: RecordOddity.allCases.count) }
    var left = bits
    while left != 0 {
      odd[left.trailingZeroBitCount].add(index)
      left &= left - 1
    }
  }
}
