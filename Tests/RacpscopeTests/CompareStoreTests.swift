import BluetoothWire
import Foundation
import HealthProfiles
import RecordCollector
import RecordStore
import Testing

/// `racpscope compare` with a side `store:ADDRESS`: stores that hold what the samples show, and stores that do not.
@Suite struct CompareStoreTests {
  private let folder: ScratchFolder
  private static let sample = "samples/first-sync.btsnoop"
  private static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  private static let side = "store:F0:0D:CA:FE:00:01"

  init() throws { folder = try ScratchFolder() }

  /// The records of the sample, from the octets of its packets.
  private static func records() throws -> [CollectedRecord] {
    let run = try CommandRun(["packets", "--format", "jsonl", "--hex", sample])
    var records: [CollectedRecord] = []
    var offset: Int16?
    for line in run.output.split(separator: "\n") where line.contains("\"Notification\"") {
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let text = json?["octets"] as? String, let pdu = (json?["pdus"] as? [[String: Any]])?.first else {
        continue
      }
      // Behind the headers of HCI, L2CAP and ATT.
      let value = Array(octets(text).dropFirst(11))
      let sequence = UInt16(value[1]) | UInt16(value[2]) << 8
      switch pdu["attribute"] as? String {
      case "Glucose Measurement":
        if value[0] & 1 == 1 { offset = Int16(bitPattern: UInt16(value[10]) | UInt16(value[11]) << 8) }
        records.append(CollectedRecord(sequenceNumber: sequence, value: value, offset: offset))
      case "Glucose Measurement Context":
        let context = CollectedContext(sequenceNumber: sequence, value: value)
        records[records.count - 1].contexts.append(context)
      default: continue
      }
    }
    return records
  }

  private static func octets(_ text: String) -> [UInt8] {
    var octets: [UInt8] = []
    var rest = text[...]
    while rest.count >= 2 {
      octets.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return octets
  }

  private func store(_ records: [CollectedRecord], runs: [SyncRun] = []) throws {
    let store = try RecordStore(path: folder.path("meters.db"))
    if !records.isEmpty {
      let batch = CommitBatch(epoch: 0, records: records, newMark: records.last?.sequenceNumber)
      _ = try store.commit(batch, for: Self.meter)
    }
    try store.remember(identity: SensorIdentity(address: Self.meter, name: "GM-1 0001"))
    for run in runs { try store.record(run: run, of: Self.meter) }
  }

  private static var firstSync: SyncRun {
    var run = SyncRun(outcome: .synced(new: 30), mark: 30)
    run.startedAt = 1_767_600_000
    run.request = [1, 1]
    run.received = 30
    run.contexts = 7
    run.stored = 30
    run.duration = 2_230_000_000
    run.transferDuration = 380_000_000
    run.security = LinkSecurity(level: 2, keySize: 16)
    run.roundTrips = 24
    return run
  }

  private func compare(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["compare", "--utc", "--store", folder.path("meters.db")] + arguments)
  }

  private func json(_ run: CommandRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  @Test func theSampleHasThirtyRecords() throws {
    let records = try Self.records()
    #expect(records.map(\.sequenceNumber) == Array(1...30))
    #expect(records.reduce(0) { $0 + $1.contexts.count } == 7)
  }

  @Test func aStoreThatHoldsTheSameIsTheSame() throws {
    try store(Self.records(), runs: [Self.firstSync])
    for arguments in [[Self.sample, Self.side], [Self.side, Self.sample]] {
      let run = try CommandRun(["compare", "--store", folder.path("meters.db")] + arguments)
      #expect(run.status == 0, "\(run.output)\(run.complaint)")
      #expect(run.complaint.isEmpty)
      #expect(run.output.hasPrefix("A and B hold the same 30 readings: 1–30."))
    }
  }

  @Test func theSyncsStandBesideTheLinks() throws {
    var failed = SyncRun(outcome: .linkLost(reason: "gone\u{7}"))
    failed.startedAt = 1_767_500_000
    failed.request = [1, 1]
    failed.received = 12
    try store(Self.records(), runs: [failed, Self.firstSync])
    let run = try compare(Self.sample, Self.side)
    #expect(run.output.contains("they part     cannot be told: a store holds records and no packets"))
    #expect(run.output.contains("B   a store without packets, 2 syncs"))
    #expect(run.output.contains("sync of 2026-01-04T04:13:20"))
    #expect(run.output.contains("link lost: gone\\u{7}"))
    #expect(run.output.contains("sync of 2026-01-05T08:00:00"))
    #expect(run.output.contains("30 records, 7 contexts"))
    #expect(run.output.contains("synced, 0.38 s"))
    #expect(run.output.contains("after 2.23 s   24 round trips"))
    #expect(run.output.contains("encrypted   level 2, 16-octet key"))
    #expect(!run.output.contains("≠") && !run.output.contains("\u{7}"))
  }

  @Test func aStoreWithoutSyncsSaysWhatItIs() throws {
    try store(Self.records())
    let run = try compare(Self.sample, Self.side)
    #expect(run.status == 0)
    #expect(run.output.contains("B   store:F0:0D:CA:FE:00:01   a store: records without the packets they came in"))
    #expect(run.output.contains("B   a store without packets, 0 syncs"))
  }

  @Test func theStoreHasWhatTheCaptureLacks() throws {
    try store(Self.records(), runs: [Self.firstSync])
    let run = try compare("--format", "json", "samples/link-loss-skip.btsnoop", Self.side)
    let json = try json(run)
    let device = try #require((json["devices"] as? [[String: Any]])?.first)
    #expect(run.status == 1)
    #expect((device["missingFromFirst"] as? [[String: Any]])?.first?["cause"] as? String == "skipped")
    #expect(device["parting"] is NSNull)
    let second = try #require(json["second"] as? [String: Any])
    #expect(second["store"] as? Bool == true)
    let sync = try #require((second["syncs"] as? [[String: Any]])?.first)
    #expect(sync["start"] as? String == "2026-01-05T08:00:00.000+00:00")
    #expect(sync["outcome"] as? String == "synced")
    #expect(sync["complete"] as? Bool == true)
    #expect(sync["encrypted"] as? Bool == true)
    #expect(sync["request"] as? String == "report all")
    #expect(sync["octets"] as? String == "0101")
    #expect(sync["records"] as? Int == 30)
    #expect(sync["contexts"] as? Int == 7)
    #expect(sync["new"] as? Int == 30)
    #expect(sync["durationMicroseconds"] as? Int == 2_230_000)
    #expect(sync["transferMicroseconds"] as? Int == 380_000)
    #expect(((json["first"] as? [String: Any])?["syncs"] as? [Any])?.isEmpty == true)
  }

  @Test func theStoreLacksWhatTheCaptureHas() throws {
    try store(Array(Self.records().prefix(28)), runs: [Self.firstSync])
    let run = try compare("--format", "json", Self.side, Self.sample)
    let device = try #require((try json(run)["devices"] as? [[String: Any]])?.first)
    let missing = try #require((device["missingFromFirst"] as? [[String: Any]])?.first)
    #expect(run.status == 1)
    #expect(missing["cause"] as? String == "not-stored")
    #expect(missing["numbers"] as? [[Int]] == [[29, 30]])
    #expect(missing["frame"] is NSNull)
  }

  @Test func aStoreWithoutARecordLacksThemAll() throws {
    try store([], runs: [SyncRun(outcome: .linkLost(reason: "gone"))])
    let run = try compare(Self.side, Self.sample)
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("A (store:F0:0D:CA:FE:00:01) misses all 30 readings in B"))
    #expect(run.output.contains("not in the store"))
    #expect(run.output.contains("link lost: gone"))
  }

  @Test func otherContentIsToldFieldByField() throws {
    var records = try Self.records()
    // The concentration of the third record, and the meal of its context.
    records[2].value[12] ^= 1
    records[2].contexts[0].value[6] ^= 1
    try store(records)
    let run = try compare(Self.sample, Self.side)
    #expect(run.status == 0)
    #expect(run.output.contains("1 reading differs in content: concentration, meal"), "\(run.output)")
    #expect(run.output.contains("#175 / store"))
  }

  @Test func twoStoresAreComparedSyncBySync() throws {
    try store(Self.records(), runs: [Self.firstSync, SyncRun(outcome: .nothingNew)])
    let run = try compare(Self.side, "store:GM-1")
    #expect(run.status == 0)
    #expect(run.output.contains("sync 2"))
    #expect(run.output.contains("nothing new"))
    #expect(!run.output.contains("lint  "))
  }

  @Test func aMeterThatIsNotThereIsNamedWithThoseThatAre() throws {
    try store(Self.records())
    let run = try compare(Self.sample, "store:XYZ")
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.contains("F0:0D:CA:FE:00:01"))
    #expect(run.complaint.split(separator: "\n").count == 1)
  }

  @Test func severalMetersThatFitAreListedWithTheirNames() throws {
    try store(Self.records())
    let other = DeviceAddress(value: 0xF00D_CAFE_0002, isRandom: true)
    try RecordStore(path: folder.path("meters.db")).remember(identity: SensorIdentity(address: other, name: "GM-2"))
    let run = try compare("store:GM", "store:GM")
    #expect(run.status == 2)
    let list = "There are F0:0D:CA:FE:00:01 (GM-1 0001), F0:0D:CA:FE:00:02 (GM-2).\n"
    #expect(run.complaint.hasSuffix("match \"GM\". " + list), "\(run.complaint)")
  }

  @Test func readingTheStoreMakesNoFile() throws {
    try store(Self.records())
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let octets = try Data(contentsOf: folder.url.appendingPathComponent("meters.db"))
    _ = try compare(Self.sample, Self.side)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == before)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("meters.db")) == octets)
  }
}
