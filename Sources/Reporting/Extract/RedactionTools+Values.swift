import BluetoothWire
import HealthProfiles

extension RedactionTools {
  /// Redacts a characteristic's value or the part of one.
  ///
  /// - Parameters:
  ///   - range: where the value is in the PDU.
  ///   - offset: where the part begins in the whole value (Read Blob, Prepare Write).
  ///   - isWrite: true for a value a client sends.
  mutating func redact(
    value octets: inout [UInt8],
    _ range: Range<Int>,
    _ nature: ValueNature,
    offset: Int = 0,
    isWrite: Bool
  ) {
    let range = range.clamped(to: 0..<octets.count)
    guard !range.isEmpty, nature != .kept else { return }
    // The fields of a part that does not begin at the first octet are not told apart.
    guard offset == 0 else {
      if nature == .text { alias(text: &octets, range) } else if nature != .recordAccess { scramble(&octets, range) }
      return
    }
    switch nature {
    case .kept: return
    case .recordAccess: moveDates(ofRequest: &octets, range)
    case .glucoseMeasurement: measurement(&octets, range)
    case .glucoseContext: context(&octets, range)
    case .continuousGlucose: continuousGlucose(&octets, range)
    case .insulinHistory: scrambleProtected(&octets, range, kept: 8)
    case .otherRecords: scramble(&octets, (range.lowerBound + 1)..<max(range.lowerBound + 1, range.upperBound))
    case .dateTime:
      moment(&octets, range)
    case .text: alias(text: &octets, range)
    case .opaque: scramble(&octets, range)
    case .unnamed: unnamed(&octets, range, isWrite: isWrite)
    }
  }

  /// What has the form of a subscription, a request or a result stays, what has that of a measurement is treated as
  /// one: the form is all that names the handles of a capture without discovery.
  private mutating func unnamed(_ octets: inout [UInt8], _ range: Range<Int>, isWrite: Bool) {
    let value = Array(octets[range])
    let bytes = unsafe value.span.bytes
    if isWrite {
      if value.count == 2, bytes.u16(at: 0) <= 3 { return }
      if RecordAccessRequest.looksLikeRequest(bytes) { return moveDates(ofRequest: &octets, range) }
      if RecordAccessRequest.looksLikeRequest(bytes, dialect: .insulinDelivery) { return }
    } else {
      if RecordAccessResponse.looksLikeResponse(bytes) { return }
      if RecordAccessResponse.looksLikeResponse(bytes, dialect: .insulinDelivery) { return }
      if GlucoseMeasurement.looksLikeMeasurement(bytes) { return measurement(&octets, range) }
    }
    scramble(&octets, range)
  }

  /// The bounds of a request by user-facing time (GLS 3.4.2).
  private func moveDates(ofRequest octets: inout [UInt8], _ range: Range<Int>) {
    let start = range.lowerBound
    guard range.count >= 3, octets[start + 2] == 0x02, (0x02...0x04).contains(octets[start + 1]) else { return }
    let dates = octets[start + 1] == 0x04 ? 2 : 1
    for index in 0..<dates {
      let at = start + 3 + index * DateTime.octetCount
      guard at + DateTime.octetCount <= range.upperBound else { return }
      move(date: &octets, at: at, end: range.upperBound)
    }
  }

  /// A Date Time, or a longer value that begins with one: of the ten octets of a Current Time the eighth is the day of
  /// the week, a Session Start Time may end with its code.
  private func moment(_ octets: inout [UInt8], _ range: Range<Int>) {
    guard range.count >= DateTime.octetCount else { return }
    let start = range.lowerBound
    let isProtected = range.count == 11 && ProtectionCode.fits(octets, range)
    let date = unsafe DateTime(octets.span.bytes, at: start)
    move(date: &octets, at: start, end: range.upperBound)
    let weekday = start + DateTime.octetCount
    if range.count == 10, (1...7).contains(octets[weekday]) {
      let days = (shift.daysMoved(date) % 7 + 7) % 7
      octets[weekday] = (octets[weekday] - 1 + UInt8(days)) % 7 + 1
    }
    if isProtected { ProtectionCode.write(&octets, range) }
  }

  private mutating func measurement(_ octets: inout [UInt8], _ range: Range<Int>) {
    let start = range.lowerBound
    let end = range.upperBound
    let flags = octets[start]
    move(date: &octets, at: start + 3, end: min(end, start + 10))
    var at = start + 10 + (flags & 0x01 == 0 ? 0 : 2)
    if flags & 0x02 != 0 {
      let scale: ValueScrambler.Scale = flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre
      scramble(float: &octets, at: at, end: end, scale)
      at += 3
    }
    at = start + GlucoseMeasurement.expectedLength(flags: flags)
    if at < end { scramble(&octets, at..<end) }
  }

  private mutating func context(_ octets: inout [UInt8], _ range: Range<Int>) {
    let start = range.lowerBound
    let end = range.upperBound
    let flags = octets[start]
    var at = start + 3 + (flags & 0x80 == 0 ? 0 : 1)
    if flags & 0x01 != 0 {
      replace(code: &octets, at: at, end: end, .carbohydrate)
      scramble(float: &octets, at: at + 1, end: end, .plain)
      at += 3
    }
    if flags & 0x02 != 0 {
      replace(code: &octets, at: at, end: end, .meal)
      at += 1
    }
    if flags & 0x04 != 0 {
      if at < end {
        let tester = values.code(octets[at] & 0x0F, of: .tester)
        octets[at] = values.code(octets[at] >> 4, of: .health) << 4 | tester
      }
      at += 1
    }
    if flags & 0x08 != 0 {
      if at + 2 <= end {
        let seconds = values.seconds(UInt16(octets[at]) | UInt16(octets[at + 1]) << 8)
        octets[at] = UInt8(truncatingIfNeeded: seconds)
        octets[at + 1] = UInt8(truncatingIfNeeded: seconds >> 8)
      } else {
        zero(&octets, at..<max(at, end))
      }
      if at + 3 <= end { octets[at + 2] = values.percent(octets[at + 2]) }
      at += 3
    }
    if flags & 0x10 != 0 {
      replace(code: &octets, at: at, end: end, .medication)
      scramble(float: &octets, at: at + 1, end: end, .plain)
      at += 3
    }
    if flags & 0x40 != 0 {
      scramble(float: &octets, at: at, end: end, .plain)
      at += 2
    }
    if at < end { scramble(&octets, at..<end) }
  }

  private func replace(code octets: inout [UInt8], at place: Int, end: Int, _ list: ValueScrambler.Code) {
    if place < end { octets[place] = values.code(octets[place], of: list) }
  }

  /// Size, flags, time offset and status stay in each record of the value (CGMS 3.1).
  private mutating func continuousGlucose(_ octets: inout [UInt8], _ range: Range<Int>) {
    var at = range.lowerBound
    while at < range.upperBound {
      let size = Int(octets[at])
      let end = min(range.upperBound, at + size)
      guard size >= 6, at + 2 <= end else { return scramble(&octets, at..<range.upperBound) }
      let isProtected = ProtectionCode.fits(octets, at..<end)
      let flags = octets[at + 1]
      scramble(float: &octets, at: at + 2, end: end, .plain)
      var place = at + 6 + (flags & 0xE0).nonzeroBitCount
      for bit in [UInt8(0x01), 0x02] where flags & bit != 0 {
        scramble(float: &octets, at: place, end: end, .plain)
        place += 2
      }
      let rest = isProtected ? end - ProtectionCode.octetCount : end
      if place < rest { scramble(&octets, place..<rest) }
      if isProtected { ProtectionCode.write(&octets, at..<end) }
      at = end
    }
  }

  /// Scrambles what follows the first octets; counter and CRC at the end stay valid where they were.
  private func scrambleProtected(_ octets: inout [UInt8], _ range: Range<Int>, kept: Int) {
    let isProtected = range.count > kept + 3 && ProtectionCode.fits(octets, range)
    let end = range.upperBound - (isProtected ? 1 + ProtectionCode.octetCount : 0)
    let start = min(range.lowerBound + kept, end)
    scramble(&octets, start..<end)
    if isProtected { ProtectionCode.write(&octets, range) }
  }
}
