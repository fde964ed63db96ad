import BluetoothWire
import Foundation
import RecordCollector
import RecordStore
import ScriptedMeter
import Testing

/// A meter, a store, and collectors that are killed while they bring the one into the other.
struct KillBench {
  private static let address = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)

  private var meter: ScriptedMeter
  private var random: SeededGenerator
  private let store: String
  /// The meter's clock, nanoseconds; it runs as fast as the collector answers.
  private var now: UInt64 = 1
  /// PDUs of a whole sync, as the last one had: where kills are aimed.
  private var exchanged = 60
  private(set) var kills = 0
  private(set) var syncs = 0

  init(store: String, seed: UInt64) {
    self.store = store
    random = SeededGenerator(seed: seed)
    meter = ScriptedMeter(records: 12)
    meter.isBonded = true
  }

  /// One life of a collector; what the store holds afterwards is checked.
  mutating func live() throws {
    let child = try SyncChild(store: store)
    let target = Int.random(in: 0...(exchanged + 2), using: &random)
    // Every other kill aims at the end, where the records are stored.
    let aimsAtCommit = Bool.random(using: &random)
    let delay = UInt32.random(in: 0..<3_000, using: &random)
    meter.connect(at: now)
    meter.isEncrypted = true
    var count = 0
    var isKilled = !aimsAtCommit && target == 0
    while !isKilled, let pdu = child.receive() {
      count += 1
      // The confirmation of the result: the commit is next.
      let isResult = pdu == [0x1E]
      meter.receive(pdu, at: now)
      isKilled = aimsAtCommit ? isResult : count >= target
      if !isKilled { answer(child, &count) }
      if !aimsAtCommit, count >= target { isKilled = true }
    }
    if isKilled {
      if delay > 200 { usleep(delay) }
      child.kill()
    } else if count > 0 {
      exchanged = count
    }
    // A child that was done before the signal has ended by itself.
    if let status = child.end() {
      try #require(status == 0, "the collector ended with status \(status)")
      syncs += 1
      try check(isComplete: true)
      meter.add(Int.random(in: 0...20, using: &random))
    } else {
      kills += 1
      try check(isComplete: false)
    }
  }

  private mutating func answer(_ child: SyncChild, _ count: inout Int) {
    while let due = meter.nextDue {
      now = max(now, due)
      for pdu in meter.due(at: now) {
        child.send(pdu)
        count += 1
      }
    }
  }

  /// What is held is what the meter has, up to a number, each once; all of it after a whole sync.
  private func check(isComplete: Bool) throws {
    let store = try RecordStore(path: store)
    let memory = try store.memory(of: Self.address)
    var held: [UInt16] = []
    var isSame = true
    try store.records(of: Self.address) { stored in
      held.append(stored.record.sequenceNumber)
      let record = meter.records.first { $0.number == stored.record.sequenceNumber }
      let contexts = record?.context.map { [$0] } ?? []
      isSame =
        isSame && stored.variant == 0 && record?.measurement(withOffset: false) == stored.record.valueWithoutOffset
      isSame = isSame && stored.record.contexts.map(\.value) == contexts && stored.record.offset == record?.offset
      return true
    }
    try #require(isSame, "a record differs from the meter's")
    let mark = memory.mark ?? 0
    try #require(held == Array(1..<(mark + 1)), "held are \(held), and the mark is \(mark)")
    try #require(memory.epoch == 0, "no numbering began anew")
    if isComplete { try #require(Int(mark) == meter.records.count, "the sync said it was complete") }
  }
}
