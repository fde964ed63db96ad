import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// The link is lost at every PDU, under every fault, and then the meter is synced until a run is complete.
@Suite struct CutTests {
  static let faults: [(name: String, change: @Sendable (inout MeterFaults) -> Void)] = [
    ("none", { _ in }),
    ("late records", { $0.recordsAfterResponse = 3 }),
    ("all records late", { $0.recordsAfterResponse = 100 }),
    ("duplicates", { $0.duplicates = true }),
    (
      "newest first, context first",
      {
        $0.newestFirst = true
        $0.contextFirst = true
      }
    ),
    ("skips", { $0.skipped = [2, 5, 9, 13] }),
    (
      "lost contexts",
      {
        $0.lostContexts = [3]
        $0.orphans = [6, 12]
      }
    ),
    (
      "busy",
      {
        $0.busy = 1
        $0.serverBusy = 1
      }
    ),
    ("no filter", { $0.refusesAtLeast = 9 }),
    (
      "mandatory requests alone",
      {
        $0.refusesRange = 4
        $0.refusesLast = 4
        $0.refusesCount = 2
      }
    ),
    ("forgets subscriptions", { $0.forgetsSubscriptions = 1 }),
    ("database hash", { $0.databaseHash = [UInt8](repeating: 1, count: 16) }),
    ("Service Changed", { $0.indicatesServiceChanged = true }),
    ("filter ignored", { $0.ignoresFilter = true }),
    ("no write response", { $0.noWriteResponse = true }),
  ]

  /// Hosts that tell what they drop, and hosts that cannot.
  static let plans = [CollectorPlan(), CollectorPlan(hostCountsDrops: true)]

  @Test(arguments: faults.indices, plans)
  func firstSyncCutAnywhere(fault: Int, plan: CollectorPlan) {
    var meter = ScriptedMeter(records: 10)
    Self.faults[fault].change(&meter.faults)
    var whole = Rig(meter)
    #expect(whole.sync().outcome == .synced(new: 10))
    whole.expectHeld()
    for cut in 1...whole.crossings {
      var rig = Rig(meter)
      rig.sync(plan, cut: cut)
      expectNoHole(rig)
      #expect(rig.syncUntilComplete().outcome.isComplete, "\(Self.faults[fault].name), cut \(cut)")
      rig.expectHeld()
    }
  }

  /// A meter that hangs up as soon as it has answered is synced all the same where the host vouches for the records.
  @Test func aMeterThatHangsUpAfterItsResponseIsSynced() {
    let meter = ScriptedMeter(records: 10)
    var whole = Rig(meter)
    whole.sync()
    func held(_ plan: CollectorPlan) -> [Int] {
      (1...whole.crossings).map { cut in
        var rig = Rig(meter)
        rig.sync(plan, cut: cut)
        return rig.keeper.held.values.reduce(0) { $0 + $1.count }
      }
    }
    let withoutCounter = held(CollectorPlan())
    let withCounter = held(CollectorPlan(hostCountsDrops: true))
    #expect(withCounter.allSatisfy { $0 == 0 || $0 == 10 })
    #expect(withCounter.filter { $0 == 10 }.count > withoutCounter.filter { $0 == 10 }.count)
  }

  @Test(arguments: faults.indices, plans)
  func incrementCutAnywhere(fault: Int, plan: CollectorPlan) {
    var base = Rig(ScriptedMeter(records: 6))
    base.sync()
    base.meter.add(8)
    Self.faults[fault].change(&base.meter.faults)
    var whole = base
    // Where no write is answered, the numbering is known only once everything was asked for.
    #expect(whole.syncUntilComplete().outcome == .synced(new: 8))
    whole.expectHeld()
    for cut in 1...whole.crossings {
      var rig = base
      rig.sync(plan, cut: cut)
      expectNoHole(rig)
      rig.meter.add(1)
      #expect(rig.syncUntilComplete().outcome.isComplete, "\(Self.faults[fault].name), cut \(cut)")
      rig.expectHeld()
    }
  }

  @Test func restartCutAnywhere() {
    for count in [4, 12] {
      var base = Rig(ScriptedMeter(records: 6))
      base.sync()
      base.meter.records = []
      base.meter.nextNumber = 1
      base.meter.add(count)
      var whole = base
      whole.sync()
      for cut in 1...whole.crossings {
        var rig = base
        rig.sync(cut: cut)
        #expect(rig.syncUntilComplete().outcome.isComplete)
        #expect(rig.heldCount == 6 + count, "cut \(cut)")
        rig.expectHeld(epoch: 1)
      }
    }
  }

  @Test func deletionCutAnywhere() {
    let plan = CollectorPlan(deleteAfterSync: true)
    var meter = ScriptedMeter(records: 9)
    meter.records.remove(at: 3)
    let all = meter.records
    var whole = Rig(meter)
    whole.sync(plan)
    #expect(whole.meter.records.isEmpty)
    for cut in 1...whole.crossings {
      var rig = Rig(meter)
      rig.sync(plan, cut: cut)
      let held = Set(rig.keeper.held[0, default: []].map { Rig.Fact($0) })
      let remaining = Set(rig.meter.records.map { Rig.Fact($0) })
      #expect(held.union(remaining) == Set(all.map { Rig.Fact($0) }), "cut \(cut)")
      #expect(rig.syncUntilComplete(plan).outcome.isComplete)
      rig.expectHeld(all)
    }
  }

  /// The host drops notifications without a word: no hole, and no offset carried over one.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func hostThatDropsNotifications(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var meter = ScriptedMeter()
    for _ in 0..<8 {
      meter.offset = Int16(truncatingIfNeeded: random.next() % 3) * 60
      meter.add(Int(random.next() % 4) + 1)
    }
    var rig = Rig(meter)
    for _ in 0..<(random.next() % 6 + 1) { rig.drops.insert(Int(random.next() % 60) + 1) }
    #expect(rig.syncUntilComplete().outcome.isComplete)
    rig.meter.offset = 240
    rig.meter.add(5)
    #expect(rig.syncUntilComplete().outcome.isComplete)
    // The last record of a transfer is fetched by the next one.
    #expect(rig.syncUntilComplete().outcome.isComplete)
    let offsets = Dictionary(uniqueKeysWithValues: rig.meter.records.map { ($0.number, $0.offset) })
    let held = rig.keeper.held[0, default: []]
    #expect(held.map(\.sequenceNumber).sorted() == rig.meter.records.map(\.number))
    for record in held { #expect(record.offset == offsets[record.sequenceNumber]) }
  }

  /// Random histories of new records, faults, cuts and full disks; then all is well for one sync.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func randomHistory(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var rig = Rig(ScriptedMeter(records: Int(random.next() % 12)))
    var ever = rig.meter.records
    for _ in 0..<8 {
      rig.meter.faults = MeterFaults()
      for _ in 0..<(random.next() % 3) {
        Self.faults[Int(random.next() % UInt64(Self.faults.count))].change(&rig.meter.faults)
      }
      rig.keeper.failures = random.next() % 5 == 0 ? 1 : 0
      let selections: [CollectorPlan.Selection] = [.increment, .increment, .increment, .all, .range(3...9)]
      let plan = CollectorPlan(
        selection: selections[Int(random.next() % 5)],
        countFirst: random.next() % 4 == 0,
        deleteAfterSync: random.next() % 8 == 0
      )
      let cut = random.next() % 2 == 0 ? nil : Int(random.next() % 120) + 1
      rig.sync(plan, cut: cut)
      expectNoHole(rig)
      let before = rig.meter.records.count
      rig.meter.add(Int(random.next() % 5))
      ever += rig.meter.records[before...]
    }
    rig.meter.faults = MeterFaults()
    rig.keeper.failures = 0
    #expect(rig.syncUntilComplete().outcome.isComplete)
    // What was fetched while a fault hid it is looked at without its context.
    let held = rig.keeper.held[0, default: []]
    #expect(held.map(\.sequenceNumber).sorted() == ever.map(\.number).sorted(), "seed \(seed)")
    let values = Set(held.map(\.valueWithoutOffset))
    #expect(values == Set(ever.map { Rig.Fact($0).value }))
  }

  /// The mark is never above a record that the meter has and the store has not.
  private func expectNoHole(_ rig: Rig, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let mark = rig.keeper.meterMemory.mark else { return }
    let held = Set(rig.keeper.held[rig.keeper.meterMemory.epoch, default: []].map(\.sequenceNumber))
    for record in rig.meter.records where record.number <= mark {
      #expect(held.contains(record.number), sourceLocation: sourceLocation)
    }
  }
}
