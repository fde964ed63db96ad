public import BluetoothWire
public import HealthProfiles

/// One record access procedure: the request, what came of it, and the frames of each step (GLS 3.4, GLP 4.7).
///
/// Indices point into `LinkHistory.pdus`. A refused request is a procedure that did not start.
public struct Procedure: Sendable {
  /// The control point's handle, the side that holds it, and the op codes it speaks.
  public var controlPoint: UInt16
  public var server: Side
  public var dialect: RecordAccessDialect
  /// Whose records it gives, and the handles of its service; all where that is not known.
  public var source = RecordSource.unknown
  public var members: ClosedRange<UInt16> = 0...UInt16.max
  /// How the control point's name is known.
  public var provenance: Provenance
  /// The Write Request or Write Command, or the Execute Write Request that carries prepared writes out, and the op code.
  public var request: UInt32
  public var opCode: RecordAccessOpCode
  /// The Write Response, Execute Write Response or Error Response; nil where none was seen (and for a Write Command).
  public var answer: UInt32?
  /// The indication (or notification) that ended it, and that indication's confirmation.
  public var result: UInt32?
  public var confirmation: UInt32?
  /// First and last record.
  public var firstRecord: UInt32?
  public var lastRecord: UInt32?
  /// Records and contexts that came while it ran, each delivery counted.
  public var records: UInt32 = 0
  public var contexts: UInt32 = 0
  /// Records and contexts that came after its result or its abort, before the next request.
  public var trailingRecords: UInt32 = 0
  public var trailingContexts: UInt32 = 0
  /// Deliveries of a number that had come before in the procedure, and steps from a higher to a lower number.
  public var duplicates: UInt32 = 0
  public var descents: UInt32 = 0
  /// The sequence numbers that came while it ran or trailing.
  public var sequences = SequenceSet()
  public var gaps = GapStatistics()
  /// Earliest and latest base time of its measurements, packed so that they compare, late ones included;
  /// `latest` 0 where there is none.
  public var earliest = PackedTime.none
  public var latest: UInt64 = 0
  /// The number of the measurement before, while it runs.
  var previousSequence: UInt32 = 0
  public var outcome = Outcome.running
  /// The procedure that ran when the sensor answered this request, accepting or refusing it; nil for the regular case.
  public var overlaps: UInt32?
  /// True where records or the result came before the Write Response.
  public var startedBeforeAnswer = false
  /// True where its result names another request op code than the one sent.
  public var resultNamesOther = false
  /// Times in microseconds since 1970 UTC: of the request, of the last step that belongs to it, and of its last
  /// activity that restarts the 30 s timer (GLP 4.7.5).
  public var startTime: Int64
  public var endTime: Int64
  public var lastActivity: Int64

  /// Stands where no procedure is.
  static let void = Procedure(
    controlPoint: 0,
    server: .remote,
    dialect: .health,
    provenance: .unnamed,
    request: 0,
    opCode: .unknown(0),
    startTime: 0,
    endTime: 0,
    lastActivity: 0
  )

  /// Takes a record or context that came while the procedure runs; returns the pause before it, nil for the first.
  @inline(__always)
  mutating func arrive(at index: Int, time: Int64, frame: UInt32, isRecord: Bool) -> Int64? {
    let isFirst = records &+ contexts == 0
    let gap = time &- lastActivity
    lastActivity = time
    endTime = time
    if isRecord {
      records &+= 1
      if firstRecord == nil { firstRecord = UInt32(truncatingIfNeeded: index) }
      lastRecord = UInt32(truncatingIfNeeded: index)
    } else {
      contexts &+= 1
    }
    if isFirst { return nil }
    gaps.count &+= 1
    if gap > gaps.longest {
      gaps.longest = gap
      gaps.longestFrame = frame
    }
    return gap
  }

  /// Takes the number and base time of a glucose measurement that came while the procedure runs.
  @inline(__always)
  mutating func measured(_ value: RawSpan) {
    let sequence = UInt32(value.u16(at: 1))
    if sequence < previousSequence { descents &+= 1 }
    previousSequence = sequence
    if !sequences.insert(sequence) { duplicates &+= 1 }
    takeTime(of: value)
  }

  /// Takes the number and base time of a glucose measurement that came after the procedure's end.
  mutating func measuredLate(_ value: RawSpan) {
    sequences.insert(UInt32(value.u16(at: 1)))
    takeTime(of: value)
  }

  @inline(__always)
  private mutating func takeTime(of value: RawSpan) {
    guard value.byteCount >= 10 else { return }
    let packed = PackedTime.baseTime(of: value)
    if packed < earliest && PackedTime.isPlausible(packed) { earliest = packed }
    if packed > latest && PackedTime.isPlausible(packed) { latest = packed }
  }

  /// How a procedure came out.
  public enum Outcome: Sendable, Equatable {
    /// Still running when the history was read.
    case running
    case success
    case noRecords
    /// A number of stored records response.
    case count(UInt32)
    /// A response code other than success and no records found.
    case failed(RecordAccessResponseValue)
    /// The request was answered by an ATT Error Response: it never started.
    case refused(ATTError)
    case aborted
    /// A later request was accepted beside it and only that one got a result.
    case superseded
    case linkLost
    /// The side that hung up, where it is known.
    case disconnected(by: Side?)
    /// 30 s passed without record or result (GLP 4.7.5).
    case unanswered
    /// A result came of which the logger kept too little to read.
    case resultClipped
    /// A result came that is none (wrong op code, operator or length).
    case malformedResult
    case captureEnded
    /// The capture lost packets after its last step: its result may be among them.
    case notCaptured
  }

  /// Where what the sensor sends begins to be its own: its Write Response, unless it was carried out before that; the
  /// request itself where none was seen.
  public var start: UInt32 { startedBeforeAnswer ? request : answer ?? request }

  /// True where its result was indicated and no confirmation follows: the collector may not have it.
  ///
  /// Looks through the rest of the link: to be asked of its last procedure only.
  public func hasUnconfirmedResult(_ history: borrowing LinkHistory) -> Bool {
    guard let result, confirmation == nil else { return false }
    let indication = history.pdus[Int(result)]
    return indication.opcode == .indication
      && !history.pdus[Int(result)...].contains {
        $0.opcode == .confirmation && $0.isReceived != indication.isReceived
      }
  }

  /// True for an Abort that the sensor answered with anything but success: what it was to end runs on (GLS 3.4.3).
  public var isFailedAbort: Bool {
    guard opCode == .abort, case .failed = outcome else { return false }
    return true
  }

  /// True where the procedure was accepted and its result was seen.
  public var isFinished: Bool {
    switch outcome {
    case .success, .noRecords, .count, .failed, .aborted, .resultClipped, .malformedResult: true
    default: false
    }
  }
}
