import BluetoothWire
import Foundation
import HealthProfiles
import RecordCollector
import RecordStore
import Testing

/// `racpscope store` as a user meets it.
@Suite struct StoreCommandTests {
  private let folder: ScratchFolder
  private static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  private static let otherMeter = DeviceAddress(value: 0x0060_1900_0001, isRandom: false)
  private static let key: [UInt8] = Array(0xA0...0xAF)

  init() throws {
    folder = try ScratchFolder()
    let store = try RecordStore(path: folder.path("meters.db"))
    var batch = CommitBatch(epoch: 0, records: (0..<5).map { Self.record($0) }, newMark: 4)
    batch.records.append(Self.record(4, mantissa: 99))
    batch.records[1].contexts = [Self.context(1)]
    batch.records[2].contextIsMissing = true
    batch.orphanContexts = [Self.context(9)]
    _ = try store.commit(batch, for: Self.meter)
    _ = try store.commit(CommitBatch(epoch: 0, records: [Self.record(0)], newMark: 0), for: Self.otherMeter)
    try store.remember(identity: SensorIdentity(address: Self.meter, name: "GM\u{1B}[31m-1", serial: "=1+1"))
    var run = SyncRun(outcome: .linkLost(reason: "gone\u{7}"))
    run.startedAt = 1_767_600_000
    try store.record(run: run, of: Self.meter)
    let longTermKey = StoredLongTermKey(
      type: 2,
      isCentral: false,
      keySize: 16,
      diversifier: 0,
      random: 0,
      value: Self.key
    )
    try store.save(StoredBond(address: Self.meter, longTermKeys: [longTermKey], identityResolvingKey: Self.key))
  }

  private static func record(_ number: UInt16, mantissa: Int = 123) -> CollectedRecord {
    let measurement = GlucoseMeasurement(
      sequenceNumber: number,
      baseTime: DateTime(year: 2026, month: 1, day: 5 + UInt8(number), hours: 7, minutes: 30),
      sample: GlucoseMeasurement.Sample(
        concentration: MedicalFloat16(mantissa: mantissa, exponent: -5) ?? .notANumber,
        type: GlucoseSampleType(rawValue: 1),
        location: GlucoseSampleLocation(rawValue: 1)
      )
    )
    return CollectedRecord(sequenceNumber: number, value: measurement.octets, offset: 60)
  }

  private static func context(_ number: UInt16) -> CollectedContext {
    let value = GlucoseMeasurementContext(sequenceNumber: number, meal: Meal(rawValue: 2))
    return CollectedContext(sequenceNumber: number, value: value.octets)
  }

  private func run(_ words: String..., input: String? = nil, store: String = "meters.db") throws -> CommandRun {
    let arguments = ["store"] + words + ["--store", folder.path(store)]
    return try CommandRun(arguments, input: input.map { Data($0.utf8) })
  }

  @Test func listShowsWhatIsHeldAndEscapesWhatMetersSay() throws {
    let run = try run("list", "--utc")
    #expect(run.status == 0)
    #expect(run.complaint.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].contains("F0:0D:CA:FE:00:01"))
    #expect(lines[2].contains("GM\\u{1b}[31m-1"))
    #expect(lines[2].contains("never"))
    #expect(lines[2].contains("1 with other content under a known number, 1 context missing, 1 context without record"))
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func recordsAreATableForAPerson() throws {
    let run = try run("records", "--device", "F0:0D")
    #expect(run.status == 0)
    #expect(run.output.contains("2026-01-05 08:30:00"))
    #expect(run.output.contains("123   ~6.8"))
    #expect(run.output.contains("postprandial") || run.output.contains("after a meal"))
    #expect(run.output.contains("other content 1 under this number"))
    #expect(run.output.contains("its context never came"))
    #expect(run.output.contains("6 records, 1 context without record."))
    #expect(!run.output.contains("\u{1B}"))
  }

  /// A bit of a feature the meter does not claim says nothing (GLS 3.3.1); the octets are kept as they came.
  @Test(arguments: [(UInt16(0x0403), false), (0x07FF, true)] as [(UInt16, Bool)])
  func aStatusOfAFeatureTheMeterLacksIsNotShown(feature: UInt16, isShown: Bool) throws {
    let measurement = GlucoseMeasurement(
      sequenceNumber: 7,
      baseTime: DateTime(year: 2026, month: 2, day: 1, hours: 7),
      annunciation: SensorStatusAnnunciation(rawValue: 0x0200)
    )
    let record = CollectedRecord(sequenceNumber: 7, value: measurement.octets, offset: 60)
    let store = try RecordStore(path: folder.path("status.db"))
    _ = try store.commit(CommitBatch(epoch: 0, records: [record], newMark: 7), for: Self.meter)
    try store.remember(identity: SensorIdentity(address: Self.meter, feature: feature))
    let name = try #require(measurement.annunciation?.names.first)
    let exported = try run("export", store: "status.db").output
    #expect(exported.contains(name) == isShown, "\(exported)")
    let octets = measurement.octets.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    #expect(exported.contains(octets))
    #expect(try run("export", "--format", "csv", store: "status.db").output.contains(name) == isShown)
    #expect(try run("records", store: "status.db").output.contains(name) == isShown)
  }

  @Test func sinceLeavesEarlierReadingsOut() throws {
    let run = try run("records", "--device", "F0:0D", "--since", "2026-01-08", "--format", "csv")
    #expect(run.output.split(separator: "\n").filter { $0.contains(",record,") }.count == 3)
  }

  @Test func runsTellHowTheyEnded() throws {
    let run = try run("runs", "--utc")
    #expect(run.status == 0)
    #expect(run.output.contains("link lost: gone\\u{7}"))
    #expect(run.output.contains("2026-01-05T08:00:00"))
  }

  @Test func anExportHasEachRecordOnceUnderItsIdentifier() throws {
    let first = try run("export")
    let second = try run("export")
    #expect(first.status == 0)
    #expect(first.output == second.output)
    var identifiers: [String] = []
    for line in first.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["schema"] as? String == "racpscope/store-export/1")
      identifiers.append(object?["sync_identifier"] as? String ?? "")
    }
    #expect(identifiers.count == 8)
    #expect(Set(identifiers).count == 8)
    #expect(identifiers.contains("F0:0D:CA:FE:00:01-random-1808-0-4-v1"))
    #expect(identifiers.contains("F0:0D:CA:FE:00:01-random-1808-0-9-context0"))
    #expect(identifiers.contains("00:60:19:00:00:01-public-1808-0-0"))
  }

  @Test func anExportedRecordSaysWhatItsOctetsSay() throws {
    let run = try run("export", "--device", "F0:0D")
    let line = try #require(run.output.split(separator: "\n").dropFirst().first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["base_time"] as? String == "2026-01-06T07:30:00")
    #expect(object["time"] as? String == "2026-01-06T08:30:00")
    #expect(object["time_offset"] as? Int == 60)
    #expect(object["offset_carried"] as? Bool == true)
    #expect(object["mg_dl"] as? Int == 123)
    #expect(object["mmol_l"] as? Double == 6.8)
    #expect(object["unit"] as? String == "mg/dL")
    #expect(object["value"] as? String == hex(Self.record(1).value))
    let contexts = object["contexts"] as? [[String: Any]]
    #expect(contexts?.first?["value"] as? String == hex(Self.context(1).value))
    #expect(contexts?.count == 1)
  }

  @Test func everyCsvRowHasEveryColumnAndNoFormula() throws {
    let run = try run("export", "--format", "csv")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == 9)
    let columns = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false).count
    for line in lines {
      // The hostile serial is the only quoted field, and has no comma.
      #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == columns, "\(line)")
    }
    #expect(run.output.contains("\"'=1+1\""))
    #expect(!run.output.contains(",=1+1"))
  }

  @Test(arguments: ["csv", "jsonl"]) func listsAndRunsAreForProgramsToo(format: String) throws {
    let list = try run("list", "--format", format)
    let runs = try run("runs", "--format", format)
    #expect(list.status == 0)
    #expect(runs.status == 0)
    #expect(list.output.split(separator: "\n").count == (format == "csv" ? 3 : 2))
    #expect(runs.output.split(separator: "\n").count == (format == "csv" ? 2 : 1))
    for output in [list.output, runs.output] where format == "csv" {
      let counts = output.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).count
      }
      #expect(Set(counts).count == 1)
    }
  }

  @Test func noCommandShowsAKey() throws {
    let texts = [
      try run("list", "--format", "jsonl"), try run("list", "--format", "csv"), try run("list"), try run("records"),
      try run("runs", "--format", "jsonl"), try run("export"), try run("export", "--format", "csv"),
    ].map { $0.output + $0.complaint }
    for text in texts {
      #expect(!text.lowercased().contains(hex(Self.key)))
      #expect(!text.lowercased().contains(hex(Self.key.reversed())))
    }
  }

  @Test func anExportToAFileIsWholeOrNotThere() throws {
    let path = folder.path("out.jsonl")
    let done = try run("export", "--output", path)
    #expect(done.status == 0)
    #expect(done.output.isEmpty)
    #expect(try folder.text("out.jsonl").split(separator: "\n").count == 8)
    let overwriting = try run("export", "--output", folder.path("meters.db"))
    #expect(overwriting.status == 2)
    #expect(try run("list").status == 0)
  }

  @Test func forgetAsksForTheAddress() throws {
    let refused = try run("forget", "--device", "F0:0D", input: "yes\n")
    #expect(refused.status == 1)
    #expect(refused.complaint.contains("6 records and 1 run"))
    #expect(refused.complaint.contains("nothing was forgotten"))
    #expect(try run("forget", "--device", "F0:0D").status == 1)
    #expect(try run("list").output.contains("F0:0D:CA:FE:00:01"))
    let done = try run("forget", "--device", "F0:0D", input: "f0:0d:ca:fe:00:01\n")
    #expect(done.status == 0)
    #expect(try !run("list").output.contains("F0:0D:CA:FE:00:01"))
    #expect(try run("list").output.contains("00:60:19:00:00:01"))
  }

  @Test func forgetWithYesDoesNotAsk() throws {
    let run = try run("forget", "--device", "GM", "--yes")
    #expect(run.status == 0)
    #expect(run.complaint.isEmpty)
    #expect(run.output == "F0:0D:CA:FE:00:01 is forgotten: 6 records and 1 run.\n")
  }

  @Test func forgetTakesOneMeterAtATime() throws {
    #expect(try run("forget", "--yes").status == 2)
    let several = try run("forget", "--device", "00:01", "--yes")
    #expect(several.status == 2)
    #expect(several.complaint.contains("more than one meter"))
    #expect(try run("list").output.split(separator: "\n").count == 3)
  }

  @Test func aMeterThatIsBeingSyncedIsNotForgotten() throws {
    let store = try RecordStore(path: folder.path("meters.db"))
    let lock = try store.lock(Self.meter, command: "racpscope sync")
    let run = try run("forget", "--device", "F0:0D", "--yes")
    #expect(run.status == 5)
    #expect(run.complaint.contains("(racpscope sync)"))
    #expect(try store.device(Self.meter)?.recordCount == 6)
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: [
    ("none.db", "there is no store"), ("no/folder.db", "does not exist"), ("text", "is not a racpscope store"),
  ])
  func aStoreThatIsNoneIsOneSentence(name: String, words: String) throws {
    try Data("hello\n".utf8).write(to: folder.url.appendingPathComponent("text"))
    let run = try run("list", store: name)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(run.complaint.contains(words))
    #expect(try folder.text("text") == "hello\n")
  }

  @Test func looserRightsAreMentioned() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("meters.db"))
    let run = try run("list")
    #expect(run.status == 0)
    #expect(run.complaint.contains("was open to other users"))
    #expect(try self.run("list").complaint.isEmpty)
  }

  @Test func aDeviceThatIsNotThereIsNamedWithThoseThatAre() throws {
    let run = try run("records", "--device", "XYZ")
    #expect(run.status == 2)
    #expect(run.complaint.contains("no meter"))
    #expect(run.complaint.contains("00:60:19:00:00:01"))
  }

  @Test func usageIsExplained() throws {
    #expect(try CommandRun(["store", "list"]).status == 2)
    #expect(try CommandRun(["store"]).status == 2)
    #expect(try run("export", "--format", "table").status == 2)
    #expect(try run("records", "--since", "yesterday").status == 2)
    let help = try CommandRun(["store", "--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("forget"))
  }
}
