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
        let isBelow = request.selection?.minimum.map { UInt32(number) < $0 } ?? false
        isOnlyHighest = number > highest && !isBelow
      } else if only != nil && number > highest {
        isOnlyHighest = false
      }
      highest = max(highest, number)
    }
    guard let only, records.count == 1, isOnlyHighest else { return }
    let number = UInt32(history.value(history.pdus[Int(only)]).u16(at: 1))
    if Self.cameBefore(number, index, subject) { return }
    let isNext = request.selection?.maximum.map { number == $0 &+ 1 } ?? false
    if isNext && only == last && Self.isOldOrFuture(only, history) { next = only } else { live = only }
  }

  /// True where that number or a higher one had come on the link: no reading that is new has it.
  private static func cameBefore(_ number: UInt32, _ index: Int, _ subject: borrowing LinkSubject) -> Bool {
    subject.surroundings[index].highest.map { $0 >= number } ?? false
  }

  private static func isOldOrFuture(_ place: UInt32, _ history: borrowing LinkHistory) -> Bool {
    guard trusted.contains(history.time(place)),
      let measurement = try? GlucoseMeasurement(decoding: history.value(history.pdus[Int(place)])),
      let seconds = measurement.baseTime.secondsSince1970
    else { return false }
    return abs(seconds - history.time(place) / 1_000_000) > days
  }
}
