import LinkTrace

/// Which procedure the PDUs of a link belong to, asked in ascending order of their indices.
struct DeliverySpans {
  private struct Span {
    var first: Int
    var last: Int
    var procedure: Int
  }

  private var spans: [Span] = []
  private var cursor = 0

  /// Records that came after a procedure's result, before the next request, count to it.
  init(_ history: borrowing LinkHistory) {
    var covered = -1
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      if let first = procedure.firstRecord, let last = procedure.lastRecord, Int(last) > covered {
        // The context of the last record follows it.
        let end = procedure.result.map { max(Int($0), Int(last)) } ?? Int(last) + 1
        spans.append(Span(first: max(covered + 1, Int(first)), last: end, procedure: index))
        covered = end
      }
      guard procedure.trailingRecords + procedure.trailingContexts > 0 else { continue }
      let start = max(covered, Int(procedure.result ?? procedure.answer ?? procedure.request)) + 1
      let next = history.procedures[(index + 1)...].first { Int($0.request) >= start }
      let end = next.map { Int($0.request) - 1 } ?? history.pdus.count
      guard start <= end else { continue }
      spans.append(Span(first: start, last: end, procedure: index))
      covered = end
    }
  }

  /// The index of the procedure the PDU at `index` belongs to; nil for none.
  mutating func procedure(_ index: Int) -> Int? {
    while cursor < spans.count && spans[cursor].last < index { cursor += 1 }
    guard cursor < spans.count, spans[cursor].first <= index else { return nil }
    return spans[cursor].procedure
  }
}
