import HealthProfiles

/// Which procedure the PDUs of a link belong to, asked in ascending order of their indices.
///
/// Records that came after a procedure's result, before the next request that may bring some, count to it.
public struct ProcedureSpans: Sendable {
  /// A run of PDUs of one procedure.
  @usableFromInline struct Span: Sendable {
    @usableFromInline var first: Int
    @usableFromInline var last: Int
    @usableFromInline var place: Place
  }

  @usableFromInline var spans: [Span] = []
  @usableFromInline var cursor = 0
  /// Procedures that ran beside the one that records are counted to, for `Place.company`.
  private var companies: [[UInt32]] = []

  /// Procedures that are looked at as running beside others: what a hostile file has beyond is not told.
  private static let companyLimit = 256

  public init() {}

  /// What a PDU is to the procedures of its link.
  public struct Place: Sendable {
    /// Ordinal from 1, 0 for none.
    public var procedure: UInt32 = 0
    /// The procedure ended with success.
    public var isComplete = false
    /// How it ended is not in the capture: its result is cut or lost.
    public var isEndUnknown = false
    public var isAfterResult = false
    /// Not 0 where the PDU may as well be of another procedure, which ran at the same time: see `company(_:)`.
    public var company: UInt32 = 0

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
      if let first = procedure.firstRecord, let last = procedure.lastRecord, Int(last) > covered {
        // The context of the last record follows it.
        let end = procedure.result.map { max(Int($0), Int(last)) } ?? Int(last) + 1
        add(max(covered + 1, Int(first))...end, of: ordinal, procedure.outcome, isAfterResult: false)
        covered = end
      }
      guard procedure.trailingRecords + procedure.trailingContexts > 0 else { continue }
      let start = max(covered, Int(procedure.result ?? procedure.answer ?? procedure.request)) + 1
      // What comes while a count or a delete runs is still of the report before.
      let next = history.procedures[(index + 1)...].first { $0.opCode.mayDeliver && Int($0.request) >= start }
      let end = next.map { Int($0.start) - 1 } ?? history.pdus.count
      guard start <= end else { continue }
      add(start...end, of: ordinal, procedure.outcome, isAfterResult: true)
      covered = end
    }
    companies.removeAll(keepingCapacity: true)
    if history.procedures.contains(where: { $0.overlaps != nil }) { markCompany(history) }
  }

  /// Ordinals of the procedures a `Place.company` stands for, ascending; empty for 0.
  public func company(_ number: UInt32) -> [UInt32] { number == 0 ? [] : companies[Int(number) - 1] }

  /// Marks the PDUs that came while procedures ran beside the one they are counted to.
  private mutating func markCompany(_ history: borrowing LinkHistory) {
    var others: [(ordinal: UInt32, range: ClosedRange<Int>)] = []
    for index in history.procedures.indices where others.count < Self.companyLimit {
      guard let range = Self.run(of: history.procedures[index], history.pdus.count) else { continue }
      others.append((UInt32(index + 1), range))
    }
    guard !others.isEmpty else { return }
    var marked: [Span] = []
    for span in spans {
      let beside = others.filter {
        $0.ordinal != span.place.procedure && $0.range.overlaps(span.first...span.last)
      }
      var starts: Set<Int> = [span.first]
      for other in beside {
        starts.insert(max(span.first, other.range.lowerBound))
        if other.range.upperBound < span.last { starts.insert(other.range.upperBound + 1) }
      }
      let ordered = starts.sorted()
      for (index, start) in ordered.enumerated() {
        var part = span
        part.first = start
        part.last = index + 1 < ordered.count ? ordered[index + 1] - 1 : span.last
        let company = beside.filter { $0.range.contains(start) }.map(\.ordinal)
        if !company.isEmpty {
          companies.append(company)
          part.place.company = UInt32(companies.count)
        }
        marked.append(part)
      }
    }
    spans = marked
  }

  /// The PDUs between the acceptance and the result of a procedure that overlaps another one and may bring records.
  private static func run(of procedure: Procedure, _ count: Int) -> ClosedRange<Int>? {
    guard procedure.overlaps != nil else { return nil }
    switch procedure.opCode {
    case .abort, .count, .delete: return nil
    default: break
    }
    if case .refused = procedure.outcome { return nil }
    let start = Int(procedure.startedBeforeAnswer ? procedure.request : procedure.answer ?? procedure.request)
    let end = procedure.result.map(Int.init) ?? count
    return start <= end ? start...end : nil
  }

  private mutating func add(
    _ range: ClosedRange<Int>,
    of procedure: UInt32,
    _ outcome: Procedure.Outcome,
    isAfterResult: Bool
  ) {
    var place = Place()
    place.procedure = procedure
    place.isComplete = outcome == .success
    place.isEndUnknown = outcome == .resultClipped || outcome == .notCaptured
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
