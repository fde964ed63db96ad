import BluetoothWire
import RecordCollector
import Testing

@testable import RecordStore

/// What a store that `store-writer commit` wrote into must look like, however the writing ended.
struct BatchLedger {
  let size: Int

  /// An epoch and the highest number in it; −1 before the first.
  typealias Reached = (epoch: UInt32, mark: Int)

  /// Checks that every batch is there whole or not at all; the epoch and mark that were reached.
  ///
  /// - Parameters:
  ///   - before: what was reached before the writing.
  ///   - lines: what the writer said.
  @discardableResult
  func check(
    _ store: RecordStore,
    from before: Reached = (0, -1),
    acknowledged lines: [String]
  ) throws -> Reached {
    let database = store.database
    let integrity = try database.prepare("PRAGMA integrity_check")
    #expect(try integrity.next())
    #expect(integrity.text(0) == "ok")
    #expect(try database.prepare("PRAGMA foreign_key_check").next() == false)
    let memory = try store.memory(of: Sample.meter)
    let mark = memory.mark.map { Int($0) } ?? -1
    #expect((mark + 1) % size == 0)
    #expect(memory.heldRecords == mark + 1)
    #expect(try database.number("SELECT count(*) FROM records WHERE variant > 0") == 0)
    let epochs = try store.device(Sample.meter)?.epochs ?? []
    for epoch in epochs { #expect(epoch.mark.map { Int($0) + 1 } == epoch.records) }
    #expect(
      try database.number("SELECT ifnull(sum(stored), 0) FROM commits")
        == database.number("SELECT count(*) FROM records")
    )
    #expect(
      try database.number("SELECT count(*) FROM contexts")
        == database.number("SELECT count(*) FROM records WHERE sequence % 3 = 0")
    )
    let known = Self.last(lines) ?? before
    let reached = (epoch: memory.epoch, mark: mark)
    #expect(reached >= known)
    // One batch more may have been committed before the writer could say so.
    if reached.epoch == known.epoch { #expect(reached.mark <= known.mark + size) }
    return reached
  }

  /// `committed 0 29` of the last whole line; nil where nothing was acknowledged.
  private static func last(_ lines: [String]) -> Reached? {
    for line in lines.reversed() {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "committed", let epoch = UInt32(words[1]), let mark = Int(words[2]) {
        return (epoch, mark)
      }
    }
    return nil
  }
}
