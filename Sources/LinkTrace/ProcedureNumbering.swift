/// The sequence numbers of one procedure's measurements, told apart where the sensor's count began anew among them.
public struct ProcedureNumbering: Sendable {
  /// Those before the last one, in the order of their delivery; nearly always none.
  public private(set) var earlierRuns: [NumberRun] = []
  /// The last one; empty where no measurement came.
  public private(set) var run = NumberRun()
  /// Deliveries whose number had come before in their run.
  public private(set) var repeats: UInt32 = 0
  /// The first measurement whose number had come before in its run with another base time or result.
  public private(set) var change: RecordChange?

  /// Beginnings that are told apart in one procedure: what a hostile file has beyond counts to the last one.
  private static let runLimit = 64

  /// Numbers that nobody asked for.
  init() {}

  /// Only a procedure that repeats a number or steps down is looked through: that nearly none does costs nothing.
  init(_ procedure: Procedure, _ history: borrowing LinkHistory) {
    guard !procedure.sequences.isEmpty else { return }
    if procedure.duplicates + procedure.descents > 0 { follow(procedure, history) }
    guard earlierRuns.isEmpty else { return }
    repeats = procedure.duplicates
    run = NumberRun()
    run.sequences = procedure.sequences
    run.earliest = procedure.earliest
    run.latest = procedure.latest
    if let record = Self.record(procedure.firstRecord, history) { run.know(record) }
    if let record = Self.record(procedure.lastRecord, history) { run.know(record) }
  }

  /// All of them; none where no measurement came.
  public var runs: [NumberRun] { run.sequences.isEmpty ? [] : earlierRuns + CollectionOfOne(run) }

  private static func record(_ index: UInt32?, _ history: borrowing LinkHistory) -> DeviceRecord? {
    guard let index else { return nil }
    let pdu = history.pdus[Int(index)]
    guard history.role(pdu) == .glucoseMeasurement, !pdu.isClipped else { return nil }
    var offset: Int16?
    return DeviceRecord(history.value(pdu), frame: pdu.frame, link: 0, offset: &offset)
  }

  private mutating func follow(_ procedure: Procedure, _ history: borrowing LinkHistory) {
    guard let start = procedure.firstRecord, let end = procedure.lastRecord, start <= end else { return }
    var known = DeviceRecords()
    var previous: UInt16?
    var isAscending = true
    for index in start...end where history.pdus[Int(index)].server == procedure.server {
      guard let record = Self.record(index, history) else { continue }
      let isStepDown = previous.map { record.sequence < $0 } ?? false
      let before = known[record.sequence]
      let isOther = before.map { !$0.isSame(as: record) } ?? false
      // A lower number is a new beginning where it is newer than everything before, and either its number is taken or
      // all numbers before it rose: of records in another order nothing can be told.
      let isNewer = run.latest > 0 && PackedTime.isPlausible(record.time) && record.time > run.latest
      if isStepDown, isNewer, earlierRuns.count < Self.runLimit,
        isOther || (before == nil && isAscending && run.sequences.count > 1)
      {
        earlierRuns.append(run)
        run = NumberRun()
        known.reuse()
        isAscending = true
      } else {
        if isOther, let before, change == nil { change = RecordChange(old: before, new: record) }
        if before != nil { repeats += 1 }
        if isStepDown { isAscending = false }
      }
      previous = record.sequence
      run.take(record)
      known.insert(record)
    }
  }
}
