import BluetoothWire
public import HealthProfiles

/// A record access procedure as the rules over several links need it.
public struct DeviceProcedure: Sendable {
  /// Its index on its link.
  public var index: Int
  /// The octets of the request.
  public var octets: [UInt8]
  public var opCode: RecordAccessOpCode
  public var dialect: RecordAccessDialect
  /// The handle of its control point, and whose records that gives.
  public var controlPoint: UInt16
  public var source: RecordSource
  public var outcome: Procedure.Outcome
  /// Frames of the request, its answer, the first and last record, the result; 0 where there is none.
  public var requestFrame: UInt32
  public var answerFrame: UInt32
  public var firstRecordFrame: UInt32
  public var lastRecordFrame: UInt32
  public var resultFrame: UInt32
  /// Microseconds since 1970 UTC: of the request, of the last step that belongs to it.
  public var startTime: Int64
  public var endTime: Int64
  /// Records delivered, late ones included.
  public var records: UInt32
  /// Their sequence numbers.
  public var sequences: SequenceSet
  /// True where it ran beside another one: its records cannot be told from the other's.
  public var isMixed: Bool
  /// What was written on its link to the configurations before it was asked for.
  public var configurations = WrittenConfigurations()
  /// The number of its first measurement where that has no Time Offset and is certainly the first one.
  public var numberWithoutOffset: UInt16?

  /// - Parameter isOverlapped: true where another procedure, no Abort, was accepted while it ran.
  init(_ procedure: Procedure, at index: Int, isOverlapped: Bool, _ history: borrowing LinkHistory) {
    self.index = index
    let summary = ProcedureSummary(procedure, history, withNumbering: false)
    octets = summary.requestOctets
    opCode = procedure.opCode
    dialect = procedure.dialect
    controlPoint = procedure.controlPoint
    source = procedure.source
    outcome = Self.wasReceived(procedure, history) ? procedure.outcome : .notCaptured
    requestFrame = summary.requestFrame
    answerFrame = summary.answerFrame
    firstRecordFrame = summary.firstRecordFrame
    lastRecordFrame = summary.lastRecordFrame
    resultFrame = summary.resultFrame
    startTime = procedure.startTime
    endTime = procedure.endTime
    records = procedure.records &+ procedure.trailingRecords
    sequences = procedure.sequences
    isMixed = procedure.opCode != .abort && (procedure.overlaps != nil || isOverlapped)
    guard history.start != nil, opCode == .report, !isMixed, let first = procedure.firstRecord else { return }
    let pdu = history.pdus[Int(first)]
    guard history.role(pdu) == .glucoseMeasurement, pdu.valueCount >= 3 else { return }
    if history.value(pdu).u8(at: 0) & 1 == 0 { numberWithoutOffset = history.value(pdu).u16(at: 1) }
  }

  /// False for a result that the link took with it: where the collector has not confirmed it, the sensor's capture does
  /// not show whether it arrived (GLP 4.7.5).
  private static func wasReceived(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    guard history.end.cause == .disconnected, history.procedures.last?.request == procedure.request,
      let result = procedure.result, procedure.hasUnconfirmedResult(history)
    else { return true }
    return !history.end.isLoss && history.end.time &- history.pdus[Int(result)].time >= Crossing.length
  }

  /// True where the sensor did not refuse the request on the attribute layer.
  public var isRefused: Bool {
    if case .refused = outcome { return true }
    return false
  }

  /// True for a report that did not come to its end, as the capture shows: the set of its records is incomplete.
  public var isBrokenOff: Bool {
    switch outcome {
    case .aborted, .linkLost, .disconnected, .unanswered: true
    case .failed(let value): value == .procedureNotCompleted
    default: false
    }
  }

  /// True where the capture does not show how it came out.
  public var isUnseen: Bool {
    switch outcome {
    case .running, .captureEnded, .notCaptured, .resultClipped, .malformedResult, .superseded: true
    default: false
    }
  }
}
