import BluetoothWire

/// A procedure apart from its link's history: what the story and the rules over several links need.
public struct ProcedureSummary: Sendable {
  public var procedure: Procedure
  /// The octets of the request.
  public var requestOctets: [UInt8]
  /// True where the logger cut the request, so that its octets tell only how it begins.
  public var isRequestCut: Bool
  /// True where the request was sent as a Write Command, signed or not.
  public var isCommand: Bool
  /// Frames of the request, its answer, the first and last record, the result and its confirmation; 0 where there is none.
  public var requestFrame: UInt32
  public var answerFrame: UInt32
  public var firstRecordFrame: UInt32
  public var lastRecordFrame: UInt32
  public var resultFrame: UInt32
  public var confirmationFrame: UInt32
  /// The numbers of its measurements.
  public var numbering: ProcedureNumbering

  /// - Parameter withNumbering: false where the numbers are not needed, which are looked through for it.
  init(_ procedure: Procedure, _ history: borrowing LinkHistory, withNumbering: Bool = true) {
    self.procedure = procedure
    requestOctets = history.written(history.pdus[Int(procedure.request)]).copied()
    isRequestCut = history.pdus[Int(procedure.request)].isClipped || history.pdus[Int(procedure.request)].isValueDropped
    isCommand = history.pdus[Int(procedure.request)].opcode.isWriteCommand
    requestFrame = history.pdus[Int(procedure.request)].frame
    answerFrame = Self.frame(procedure.answer, history)
    firstRecordFrame = Self.frame(procedure.firstRecord, history)
    lastRecordFrame = Self.frame(procedure.lastRecord, history)
    resultFrame = Self.frame(procedure.result, history)
    confirmationFrame = Self.frame(procedure.confirmation, history)
    numbering = withNumbering ? ProcedureNumbering(procedure, history) : ProcedureNumbering()
  }

  private static func frame(_ index: UInt32?, _ history: borrowing LinkHistory) -> UInt32 {
    index.map { history.pdus[Int($0)].frame } ?? 0
  }

  /// True where it is not the plain case: a summary of many procedures, or links, names it.
  public var isOdd: Bool {
    switch procedure.outcome {
    case .success, .noRecords, .count:
      procedure.duplicates > 0 || procedure.descents > 0 || procedure.trailingRecords > 0
        || !procedure.sequences.gaps.isEmpty
    default: true
    }
  }

  /// First and last frame of the procedure.
  public var frames: ClosedRange<UInt32> {
    requestFrame...max(requestFrame, answerFrame, lastRecordFrame, resultFrame)
  }
}
