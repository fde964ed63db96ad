import BluetoothWire
import HealthProfiles
import LinkTrace

/// The measurements of a report that its request did not ask for.
struct UninvitedRecords {
  private(set) var records = OddRecords()
  /// The only one, where it is newer than all that was asked for and all that had come: a reading taken while the
  /// report ran (GLS 3.4.3.4).
  private(set) var live: UInt32?
  /// The only one, where it is the very next number after those asked for, is sent last, and is dated days off the
  /// time at which it came: a bound that is off by one is likelier than a new reading.
  private(set) var next: UInt32?
  /// The only one beside the first or last record that was asked for, where no number tells that it is none that was
  /// taken while the report ran, but its date does: it is days off the time at which it came.
  private(set) var dated: UInt32?

  /// The difference to the time of the capture, in seconds, that no time zone explains.
  private static let days: Int64 = 172_800
  /// Times of the capture between which its clock can be trusted: 2015 and 2099, microseconds since 1970.
  static let trusted: Range<Int64> = 1_420_070_400_000_000..<4_102_444_800_000_000

  /// True where what is known of the whole report says that there is one; costs no walk.
  static func areLikely(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Bool {
    let procedure = history.procedures[index]
    guard let lowest = procedure.sequences.minimum, let highest = procedure.sequences.maximum,
      let selection = subject.requests[index].selection, subject.requests[index].isWellFormed
    else { return false }
    switch selection {
    case .all: return false
    case .first, .last: return procedure.records - procedure.duplicates > 1
    case .atLeast(let minimum): return lowest < minimum
    case .atMost(let maximum): return highest > maximum
    case .within(let minimum, let maximum): return lowest < minimum || highest > maximum
    case .until, .since, .between: return true
    }
  }

  init(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) {
    let procedure = history.procedures[index]
    guard let first = procedure.firstRecord, let last = procedure.lastRecord else { return }
    let request = subject.requests[index]
    let isSingle = request.selection == .first || request.selection == .last
    var offset: Int16?
    var highest: UInt16 = 0
    var only: UInt32?
    var isOnlyHighest = false
    for place in first...last {
      let pdu = history.pdus[Int(place)]
      guard pdu.opcode.role == .notification, history.role(pdu) == .glucoseMeasurement, pdu.server == procedure.server,
        let measurement = try? GlucoseMeasurement(decoding: history.value(pdu))
      else { continue }
      offset = measurement.timeOffset ?? offset
      let number = measurement.sequenceNumber
      let isAsked: Bool
      if isSingle {
        isAsked = place == first
      } else if let matches = request.matches(sequenceNumber: UInt32(number)) {
        isAsked = matches
      } else if let offset, let time = measurement.userFacingTime(offsetInForce: offset) {
        isAsked = request.matches(userFacingTime: time) != false
      } else {
        isAsked = true
      }
      if !isAsked {
        records.add(place)
        only = place
        // One that is new is below a bound only where the request passes over it.
        let isBelow = request.selection?.minimum.map { UInt32(number) < $0 } ?? false
        isOnlyHighest = number > highest && (!isBelow || Self.isOfThatMoment(measurement, pdu.time))
      } else if only != nil && number > highest {
        isOnlyHighest = false
      }
      highest = max(highest, number)
    }
    guard let only, records.count == 1, isOnlyHighest else { return }
    let number = UInt32(history.value(history.pdus[Int(only)]).u16(at: 1))
    if Self.isStored(number, index, history, subject) { return }
    let isOff = Self.isOldOrFuture(only, history)
    if isSingle {
      if isOff { dated = only } else { live = only }
      return
    }
    let isNext = request.selection?.maximum.map { number == $0 &+ 1 } ?? false
    if isNext && only == last && isOff { next = only } else { live = only }
  }

  /// True for the only record of a report that was not taken while it ran: its date or its number is that of an older one.
  static func isSingleStored(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Bool {
    let procedure = history.procedures[index]
    guard procedure.records == 1, let place = procedure.firstRecord else { return false }
    if isOldOrFuture(place, history) { return true }
    guard let number = procedure.sequences.maximum else { return false }
    return subject.surroundings[index].highest.map { $0 >= number } ?? false
  }

  /// True where that number or a higher one had come on the link, or several higher ones come behind: no reading that is
  /// new has it. The same holds for one behind the first record where so many are counted that it is among them.
  private static func isStored(
    _ number: UInt32,
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    let around = subject.surroundings[index]
    if around.highest.map({ $0 >= number }) ?? false || around.highestLater.map({ $0 > number + 1 }) ?? false {
      return true
    }
    guard subject.requests[index].selection == .first, let lowest = history.procedures[index].sequences.minimum,
      let counted = around.counted
    else { return false }
    // A count is an estimate (GLP 4.7.3.2), and one record too many is a common one.
    return number + 1 < lowest + counted
  }

  /// True for a measurement whose Base Time is that at which it came, in whatever time zone its clock is set.
  private static func isOfThatMoment(_ measurement: GlucoseMeasurement, _ time: Int64) -> Bool {
    guard trusted.contains(time), let seconds = measurement.baseTime.secondsSince1970 else { return false }
    let off = abs(seconds - time / 1_000_000)
    let (quarter, clock): (Int64, Int64) = (900, 120)
    return off <= 14 * 3600 + clock && min(off % quarter, quarter - off % quarter) <= clock
  }

  /// True for a measurement whose date is days off the time at which it came.
  static func isOldOrFuture(_ place: UInt32, _ history: borrowing LinkHistory) -> Bool {
    guard trusted.contains(history.time(place)),
      let measurement = try? GlucoseMeasurement(decoding: history.value(history.pdus[Int(place)])),
      let seconds = measurement.baseTime.secondsSince1970
    else { return false }
    return abs(seconds - history.time(place) / 1_000_000) > days
  }
}
