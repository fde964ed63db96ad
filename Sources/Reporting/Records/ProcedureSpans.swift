import LinkTrace

/// Which procedure the PDUs of a link belong to, asked in ascending order of their indices.
struct ProcedureSpans {
  /// A run of PDUs of one procedure.
  private struct Span {
    var first: Int
    var last: Int
    var procedure: UInt32
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
      if let first = procedure.firstRecord, let last = procedure.lastRecord, Int(last) > covered {
        // The context of the last record follows it.
        let end = procedure.result.map { max(Int($0), Int(last)) } ?? Int(last) + 1
        spans.append(Span(first: max(covered + 1, Int(first)), last: end, procedure: ordinal, isAfterResult: false))
        covered = end
      }
      guard procedure.trailingRecords + procedure.trailingContexts > 0 else { continue }
      let start = max(covered, Int(procedure.result ?? procedure.answer ?? procedure.request)) + 1
      let next = history.procedures[(index + 1)...].first { Int($0.request) >= start }
      let end = next.map { Int($0.request) - 1 } ?? history.pdus.count
      guard start <= end else { continue }
      spans.append(Span(first: start, last: end, procedure: ordinal, isAfterResult: true))
      covered = end
    }
  }

  /// The procedure of the PDU at `index`, which is not below the one asked for before.
  @inline(__always)
  mutating func place(_ index: Int, _ history: borrowing LinkHistory) -> Place {
    while cursor < spans.count && spans[cursor].last < index { cursor += 1 }
    guard cursor < spans.count, spans[cursor].first <= index else { return Place() }
    let ordinal = spans[cursor].procedure
    return Place(
      procedure: ordinal,
      isComplete: history.procedures[Int(ordinal) - 1].outcome == .success,
      isAfterResult: spans[cursor].isAfterResult
    )
  }
}
