/// Which procedure the PDUs of a link belong to, asked in ascending order of their indices.
///
/// Records that came after a procedure's result, before the next request, count to it.
public struct ProcedureSpans: Sendable {
  /// A run of PDUs of one procedure.
  @usableFromInline struct Span: Sendable {
    @usableFromInline var first: Int
    @usableFromInline var last: Int
    @usableFromInline var place: Place
  }

  @usableFromInline var spans: [Span] = []
  @usableFromInline var cursor = 0

  public init() {}

  /// What a PDU is to the procedures of its link.
  public struct Place: Sendable {
    /// Ordinal from 1, 0 for none.
    public var procedure: UInt32 = 0
    /// The procedure ended with success.
    public var isComplete = false
    public var isAfterResult = false

    @inlinable public init() {}
  }

  /// Takes the procedures of a link; the storage of the link before is used again.
  public mutating func fill(_ history: borrowing LinkHistory) {
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
    var place = Place()
    place.procedure = procedure
    place.isComplete = isComplete
    place.isAfterResult = isAfterResult
    spans.append(Span(first: range.lowerBound, last: range.upperBound, place: place))
  }

  /// The procedure of the PDU at `index`, which is not below the one asked for before.
  @inlinable
  public mutating func place(_ index: Int) -> Place {
    while cursor < spans.count && spans[cursor].last < index { cursor += 1 }
    guard cursor < spans.count, spans[cursor].first <= index else { return Place() }
    return spans[cursor].place
  }
}
