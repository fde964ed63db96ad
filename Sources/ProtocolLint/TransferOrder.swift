import BluetoothWire
import HealthProfiles
import LinkTrace

/// What one walk over a transfer whose numbers do not simply rise tells: records that come twice, a run that starts
/// again, records that come behind younger ones.
struct TransferOrder: Sendable {
  /// The procedure's index on its link.
  var procedure: Int
  /// Measurements that came before in the transfer with the same content, their numbers, and the first one's original.
  private(set) var again = OddRecords()
  private(set) var firstAgain: (number: UInt16, original: UInt32)?
  /// Where the rising run begins again from its first number, with the same content.
  private(set) var restarts = OddRecords()
  /// Measurements that came behind one with a higher number, and were not taken after it.
  private(set) var behind = OddRecords()
  /// True where a single one came behind a reading that was taken while the transfer ran.
  private(set) var isExcused = false
  /// True where every measurement came behind a younger one.
  private(set) var isNewestFirst = false
  /// True where the record that came last may begin the run again: the next one tells.
  private(set) var isUndecided = false
  /// True where the logger kept too little to tell.
  private(set) var isUnclear = false

  /// The transfers of a link in which a number came twice or after a higher one, and whose records are certainly
  /// their own.
  static func all(_ history: borrowing LinkHistory, _ standings: [ProcedureStanding]) -> [TransferOrder] {
    var found: [TransferOrder] = []
    let isNeverAnswered = history.neverAcceptsVisibly
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.duplicates > 0 || procedure.descents > 0, standings[index].isClear,
        let first = procedure.firstRecord, let last = procedure.lastRecord
      else { continue }
      // Without its Write Response nothing tells what came before it, and may be the rest of a report before.
      if index > 0 && procedure.startedBeforeAnswer && procedure.answer == nil && !isNeverAnswered { continue }
      // What may have crossed the request is no part of its answer.
      let start = history.mayCrossRequest(procedure) ? procedure.answer ?? first : first
      let order = TransferOrder(index, first...last, from: start, procedure.sequences.maximum ?? 0, history)
      // What an abort before it had left in the queue came first, then the report itself from its first number on.
      if standings[index].mayInheritRecords && order.restarts.count == 1 { continue }
      found.append(order)
    }
    return found
  }

  private init(
    _ index: Int,
    _ places: ClosedRange<UInt32>,
    from start: UInt32,
    _ highest: UInt32,
    _ history: borrowing LinkHistory
  ) {
    procedure = index
    let slot = history.pdus[Int(places.lowerBound)].attribute
    var originals = [UInt32](repeating: AttributePDU.none, count: Int(min(highest, 0xFFFF)) + 1)
    var run = Run()
    for place in places where place >= start {
      let pdu = history.pdus[Int(place)]
      guard pdu.attribute == slot, pdu.isNotified, pdu.valueCount >= 3 else {
        continue
      }
      let number = history.value(pdu).u16(at: 1)
      guard Int(number) < originals.count else { continue }
      let original = originals[Int(number)]
      if original == AttributePDU.none {
        originals[Int(number)] = place
        if run.count > 0 && number < run.number { descend(to: place, number, &run, history) }
        run.restart = nil
      } else if pdu.valueCount < 10 || history.pdus[Int(original)].valueCount < 10 {
        isUnclear = true
      } else if Self.isSame(place, original, history) {
        again.add(place)
        if firstAgain == nil { firstAgain = (number, original) }
        if let restart = run.restart, number == run.secondNumber { restarts.add(restart) }
        run.restart = number == run.firstNumber && run.isRising ? place : nil
      }
      run.take(place, number)
    }
    judge(run)
  }

  /// The measurements so far.
  private struct Run {
    var count = 0
    var place: UInt32 = 0
    var number: UInt16 = 0
    var numberBefore: UInt16?
    var firstNumber: UInt16 = 0
    var secondNumber: UInt16?
    var highest: UInt16 = 0
    /// Where the first number has come again and the second has not yet.
    var restart: UInt32?
    /// The one number that a single step back came behind.
    var steppedOver: UInt16?
    var stepsBack = 0

    /// True where at least two numbers rose from the first one.
    var isRising: Bool { secondNumber.map { $0 > firstNumber } ?? false }

    mutating func take(_ place: UInt32, _ number: UInt16) {
      numberBefore = count > 0 ? self.number : nil
      if count == 0 { firstNumber = number } else if count == 1 { secondNumber = number }
      count += 1
      self.place = place
      self.number = number
      highest = max(highest, number)
    }
  }

  private mutating func descend(to place: UInt32, _ number: UInt16, _ run: inout Run, _ history: borrowing LinkHistory)
  {
    run.stepsBack += 1
    guard let before = Self.time(run.place, history), let now = Self.time(place, history) else {
      isUnclear = true
      return
    }
    // A lower number that was taken later belongs to a counter that began again.
    guard now <= before else { return }
    behind.add(place)
    // A reading taken while the transfer runs may come in between: the highest number, once.
    if behind.count == 1 && run.numberBefore.map({ $0 < number }) ?? true { run.steppedOver = run.number }
  }

  private mutating func judge(_ run: Run) {
    isUndecided = run.restart != nil && restarts.count == 0
    isNewestFirst = run.count > 2 && behind.count == run.count - 1
    if behind.count == 1, let live = run.steppedOver, live == run.highest {
      behind = OddRecords()
      isExcused = true
    }
  }

  private static func time(_ place: UInt32, _ history: borrowing LinkHistory) -> DateTime? {
    let pdu = history.pdus[Int(place)]
    return pdu.valueCount >= 10 ? DateTime(history.value(pdu), at: 3) : nil
  }

  /// Compares two measurements of ten octets or more but for the time offset, which is sent only now and then.
  private static func isSame(_ left: UInt32, _ right: UInt32, _ history: borrowing LinkHistory) -> Bool {
    let one = history.value(history.pdus[Int(left)])
    let other = history.value(history.pdus[Int(right)])
    guard (one.u8(at: 0) | 1) == (other.u8(at: 0) | 1), one.u64(at: 1) == other.u64(at: 1),
      one.u8(at: 9) == other.u8(at: 9)
    else { return false }
    let start = rest(one)
    let otherStart = rest(other)
    let count = one.byteCount - start
    guard count == other.byteCount - otherStart else { return false }
    for place in 0..<count where one.u8(at: start + place) != other.u8(at: otherStart + place) { return false }
    return true
  }

  /// Where the octets after the time offset begin.
  private static func rest(_ value: RawSpan) -> Int { value.u8(at: 0) & 1 == 1 && value.byteCount >= 12 ? 12 : 10 }
}
