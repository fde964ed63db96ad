public import LinkTrace

/// What the captures of one run tell of each other's devices: the names of attributes that one discovers and another,
/// which begins on a bonded reconnection, does not; keys of private addresses.
public struct SharedNames: Sendable {
  /// Of each capture the time of its first frame, and what its links told.
  private let known: [(start: Int64, memory: TraceMemory)]

  public init(_ known: [(start: Int64, memory: TraceMemory)]) { self.known = known }

  /// What a capture knows together with the others, the nearest one before it first and then those after it; nil where
  /// none of them names a link of it better than it does itself.
  public func better(for index: Int) -> TraceMemory? {
    let own = known[index]
    let others = known.indices.filter { $0 != index }
    let before = others.filter { known[$0].start <= own.start }.sorted { known[$0].start > known[$1].start }
    let after = others.filter { known[$0].start > own.start }.sorted { known[$0].start < known[$1].start }
    var memory = own.memory
    var isBetter = false
    for other in before + after where memory.adopt(from: known[other].memory) { isBetter = true }
    guard isBetter else { return nil }
    memory.startSecondPass()
    return memory
  }
}
