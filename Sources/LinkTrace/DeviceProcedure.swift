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
  /// The handle of its control point, whose records that gives, and the handles of its service; all where that is not
  /// known.
  public var controlPoint: UInt16
  public var source: RecordSource
  public var members: ClosedRange<UInt16>
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
  /// True for a report that ended with success although nothing came that may be a record of it.
  public var isEmptySuccess: Bool
  /// True where it got no result, and an indication that was not confirmed may have kept the sensor from sending it.
  public var mayBeHeldUp: Bool
  /// What was written on its link to the configurations before it was asked for.
  public var configurations = WrittenConfigurations()
  /// True for a request of a glucose service that was refused for a missing subscription (GLS 1.7), although the service's
  /// own configurations had all been turned on over its link, in a way that the sensor must hold.
  public var isSubscribed = false
  /// The number of the first measurement of a report that ran alone; nil where it is not read.
  public var firstNumber: UInt16?
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
    members = procedure.members
    outcome = Self.outcome(procedure, history)
    requestFrame = summary.requestFrame
    answerFrame = summary.answerFrame
    firstRecordFrame = summary.firstRecordFrame
    lastRecordFrame = summary.lastRecordFrame
    resultFrame = summary.resultFrame
    startTime = procedure.startTime
    endTime = procedure.endTime
    records = procedure.records &+ procedure.trailingRecords
    sequences = procedure.sequences
    isEmptySuccess = Self.isEmptySuccess(procedure, history)
    mayBeHeldUp = outcome == .unanswered && Self.mayBeHeldUp(procedure, history)
    isMixed = procedure.opCode != .abort && (procedure.overlaps != nil || isOverlapped)
    guard opCode == .report, !isMixed, let first = procedure.firstRecord else { return }
    let pdu = history.pdus[Int(first)]
    guard history.role(pdu) == .glucoseMeasurement, pdu.valueCount >= 3 else { return }
    firstNumber = history.value(pdu).u16(at: 1)
    if history.start != nil, history.value(pdu).u8(at: 0) & 1 == 0 {
      numberWithoutOffset = history.value(pdu).u16(at: 1)
    }
  }

  /// How it came out for the collector.
  private static func outcome(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Procedure.Outcome {
    guard wasReceived(procedure, history) else { return .notCaptured }
    if procedure.outcome == .success && isCurtailed(procedure, history) { return .aborted }
    // A controller that is reset or closed has dropped the link, and nothing more can have come over it.
    let isCutOff = procedure.outcome == .captureEnded && history.end.cause == .controllerGone
    return isCutOff ? .disconnected(by: nil) : procedure.outcome
  }

  /// False for a result that the link took with it: where the collector has not confirmed it, the sensor's capture does
  /// not show whether it arrived (GLP 4.7.5).
  private static func wasReceived(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    guard history.end.cause == .disconnected || history.end.cause == .controllerGone,
      history.procedures.last?.request == procedure.request,
      let result = procedure.result, procedure.hasUnconfirmedResult(history)
    else { return true }
    return !history.end.isLoss && history.end.time &- history.pdus[Int(result)].time >= history.crossing
  }

  /// True for a report of measurements that the collector itself cut short by turning them off while it ran: the success
  /// says nothing of what could not be sent any more (Core Vol 3 Part G 3.3.3.3).
  private static func isCurtailed(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    guard procedure.opCode == .report, let result = procedure.result else { return false }
    return history.subscriptions.contains {
      $0.role == .glucoseMeasurement && $0.server == procedure.server && $0.request > procedure.request
        && $0.request < result && $0.value & 1 == 0 && $0.error == 0 && !$0.isDoubtful
        && procedure.members.contains($0.descriptor)
    }
  }

  private static func isEmptySuccess(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    guard procedure.opCode == .report, procedure.outcome == .success, !procedure.resultNamesOther,
      let result = procedure.result, procedure.request < result
    else { return false }
    let came = procedure.records | procedure.contexts | procedure.trailingRecords | procedure.trailingContexts
    return came == 0
      && !history.pdus[Int(procedure.request)..<Int(result)].contains {
        $0.server == procedure.server && $0.isDelivery && history.role($0) == .unknown
      }
  }

  private static func mayBeHeldUp(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    let last = procedure.lastRecord ?? procedure.answer ?? procedure.request
    return history.pdus.prefix(Int(last) + 1).contains {
      $0.opcode == .indication && $0.server == procedure.server
        && ($0.partner == AttributePDU.none || $0.partner > last)
    }
  }

  /// True where the sensor did not refuse the request on the attribute layer.
  public var isRefused: Bool {
    if case .refused = outcome { return true }
    return false
  }

  /// True where the sensor refused the request for a missing subscription (GLS 1.7).
  public var asksForSubscription: Bool {
    guard case .refused(let error) = outcome else { return false }
    return error.rawValue == 0x81 || error.rawValue == 0xFD
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
