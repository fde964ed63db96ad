import LinkTrace

/// Which procedure the PDUs of a link belong to, asked in ascending order of their indices.
struct ProcedureSpans {
  /// A run of PDUs of one procedure.
  private struct Span {
    var first: Int
    var last: Int
    var procedure: UInt32
    var isComplete: Bool
    var isAfterResult: Bool
  }

  private var spans: [Span] = []
  private var cursor = 0

  /// What a PDU is to the procedures of its link.
  struct Place {
    /// Ordinal from 1, 0 for none.
    var procedure: UInt32 = 0
    var isComplete = false
    var isAfterResult = false
  }

  /// Takes the procedures of a link; the storage of the link before is used again.
  mutating func fill(_ history: borrowing LinkHistory) {
    spans.removeAll(keepingCapacity: true)
    cursor = 0
    var covered = -1
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      let ordinal = UInt32(index + 1)
      let isComplete = procedure.outcome == .success
      if let first = procedure.firstRecord, let last = procedure.lastRecord, Int(last) > covered {
        // The context of the last record follows it.
        let end = procedure.result.map { max(Int($0), Int(last)) } ?? Int(last) + 1
        add(max(covered + 1, Int(first))...end, of: ordinal, isComplete, isAfterResult: false)
        covered = end
      }
      guard procedure.trailingRecords + procedure.trailingContexts > 0 else { continue }
      let start = max(covered, Int(procedure.result ?? procedure.answer ?? procedure.request)) + 1
      let next = history.procedures[(index + 1)...].first { Int($0.request) >= start }
      let end = next.map { Int($0.request) - 1 } ?? history.pdus.count
      guard start <= end else { continue }
      add(start...end, of: ordinal, isComplete, isAfterResult: true)
      covered = end
    }
  }

  private mutating func add(
    _ range: ClosedRange<Int>,
    of procedure: UInt32,
    _ isComplete: Bool,
    isAfterResult: Bool
  ) {
    spans.append(
      Span(
        first: range.lowerBound,
        last: range.upperBound,
        procedure: procedure,
        isComplete: isComplete,
        isAfterResult: isAfterResult
      )
    )
  }

  /// The procedure of the PDU at `index`, which is not below the one asked for before.
  @inline(__always)
  mutating func place(_ index: Int) -> Place {
    while cursor < spans.count && spans[cursor].last < index { cursor += 1 }
    guard cursor < spans.count, spans[cursor].first <= index else { return Place() }
    let span = spans[cursor]
    return Place(procedure: span.procedure, isComplete: span.isComplete, isAfterResult: span.isAfterResult)
  }
}
