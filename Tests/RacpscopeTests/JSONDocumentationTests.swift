import BluetoothWire
import Foundation
import HealthProfiles
import RecordCollector
import RecordStore
import Reporting
import Testing

/// The pages name every member that is written, and every member they name is written.
@Suite struct JSONDocumentationTests {
  /// Every schema, and those of which its documents hold parts.
  private static let schemas: [String: [String]] = [
    "gatt": [], "record": [], "packet": [], "lint": ["racpscope/finding/1"], "finding": [], "baseline": [],
    "rules": [], "comparison": [], "store-export": [], "store-device": [], "store-run": [], "sync": [], "scan": [],
    "adapter": [],
  ]
  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")
  private static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)

  /// Documents of a schema, in whichever way they come about.
  private static func texts(_ schema: String) throws -> [String] {
    switch schema {
    case "gatt": return try stored("gatt-json")
    case "record": return try stored("records-jsonl")
    case "packet":
      return try stored("packets-jsonl") + [output("packets", "--format", "jsonl", "--hex", "samples/silence.btsnoop")]
    case "lint":
      return try stored("lint-json") + [
        output("lint", "--format", "json", "README.md", "samples/silence.btsnoop"),
        output("lint", "--format", "json", "--join", "samples/bonded-reconnect.btsnoop", "samples/first-sync.btsnoop"),
      ]
    case "finding": return try stored("lint-jsonl")
    case "baseline": return try [baseline()]
    case "rules": return try [output("rules", "--format", "json")]
    case "comparison":
      return try [
        output("compare", "--format", "json", "samples/link-loss-skip.btsnoop", "samples/first-sync.btsnoop"),
        output("compare", "--format", "json", "samples/first-sync.btsnoop", "samples/link-loss-skip.btsnoop"),
        output("compare", "--format", "json", "samples/overlap-accepted.btsnoop", "samples/first-sync.btsnoop"),
        changed(),
      ]
    case "store-export", "store-device", "store-run": return try [store(schema)]
    case "sync": return syncs()
    case "scan": return [ScanTable.jsonLine(scanned, to: OutputBuffer()).text]
    case "adapter": return [AdapterTable.jsonLines([adapter], to: OutputBuffer()).text]
    default: return []
    }
  }

  private static func stored(_ command: String) throws -> [String] {
    let folder = golden.appendingPathComponent(command)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
  }

  private static func output(_ arguments: String...) throws -> String { try CommandRun(arguments).output }

  private static func baseline() throws -> String {
    let folder = try ScratchFolder()
    let path = folder.path("baseline.json")
    _ = try CommandRun(["lint", "--write-baseline", path, "samples/overlap-accepted.btsnoop"])
    return try folder.text("baseline.json")
  }

  private static func record(_ number: UInt16, _ mantissa: Int) -> CollectedRecord {
    let measurement = GlucoseMeasurement(
      sequenceNumber: number,
      baseTime: DateTime(year: 2026, month: 1, day: 5, hours: 7, minutes: 30),
      sample: GlucoseMeasurement.Sample(
        concentration: MedicalFloat16(mantissa: mantissa, exponent: -5) ?? .notANumber,
        type: GlucoseSampleType(rawValue: 1),
        location: GlucoseSampleLocation(rawValue: 1)
      )
    )
    let context = GlucoseMeasurementContext(sequenceNumber: number, meal: Meal(rawValue: 2))
    return CollectedRecord(
      sequenceNumber: number,
      value: measurement.octets,
      offset: 60,
      contexts: [CollectedContext(sequenceNumber: number, value: context.octets)]
    )
  }

  private static func stored(mantissa: Int) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    let store = try RecordStore(path: folder.path("meters.db"))
    var batch = CommitBatch(epoch: 0, records: [record(1, mantissa)], newMark: 1)
    batch.orphanContexts = record(9, 1).contexts
    _ = try store.commit(batch, for: meter)
    var run = SyncRun(outcome: .synced(new: 1))
    run.startedAt = 1_767_600_000
    try store.record(run: run, of: meter)
    return folder
  }

  private static func store(_ schema: String) throws -> String {
    let folder = try stored(mantissa: 123)
    let action = ["store-export": "export", "store-device": "list", "store-run": "runs"][schema] ?? ""
    return try output("store", action, "--format", "jsonl", "--store", folder.path("meters.db"))
  }

  /// Two stores that differ, so that fields and syncs are there.
  private static func changed() throws -> String {
    let folder = try stored(mantissa: 123)
    let other = try RecordStore(path: folder.path("other.db"))
    _ = try other.commit(CommitBatch(epoch: 0, records: [record(1, 124), record(1, 125)], newMark: 1), for: meter)
    let both = ["compare", "--format", "json", "--store", folder.path("other.db")]
    let mixed = try CommandRun(both + ["store:F0:0D", "samples/first-sync.btsnoop"])
    let alone = try output("compare", "--format", "json", "--store", folder.path("meters.db"), "store:F0", "store:F0")
    return mixed.output + alone
  }

  private static func syncs() -> [String] {
    let report = SyncReport(
      meter: meter,
      name: nil,
      run: SyncRun(outcome: .nothingNew),
      attempts: 1,
      stored: 0,
      notices: [.duplicates(6)]
    )
    let failure = SyncReport.json(failure: "There is none.", hint: "", meter: meter, to: OutputBuffer())
    return [report.json(to: OutputBuffer()).text, failure.text]
  }

  private static let scanned = ScannedDevice(
    address: meter,
    name: nil,
    signal: -60,
    services: [],
    isHealthDevice: true,
    isBonded: nil
  )
  private static let adapter = AdapterLine(
    name: "hci0",
    address: "00:00:00:00:00:00",
    bus: "USB",
    version: nil,
    power: "on",
    hasLowEnergy: nil,
    alias: []
  )

  /// The documents in a text: one, several after each other, or one a line.
  private static func documents(_ text: String) throws -> [Any] {
    var documents: [Any] = []
    var pending = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      pending += line + "\n"
      // A document ends with a line that closes it at the margin.
      guard line.hasSuffix("}"), line.hasPrefix("{") || line.hasPrefix("}") else { continue }
      documents.append(try JSONSerialization.jsonObject(with: Data(pending.utf8)))
      pending = ""
    }
    return documents
  }

  private static func members(of value: Any) -> Set<String> {
    if let object = value as? [String: Any] {
      return object.values.reduce(into: Set(object.keys)) { $0.formUnion(members(of: $1)) }
    }
    return (value as? [Any])?.reduce(into: []) { $0.formUnion(members(of: $1)) } ?? []
  }

  @Test(arguments: schemas.keys.sorted()) func thePagesAndTheOutputAgree(schema: String) throws {
    let name = "racpscope/\(schema)/1"
    let documents = try Self.texts(schema).flatMap(Self.documents)
    #expect(!documents.isEmpty)
    for document in documents { #expect((document as? [String: Any])?["schema"] as? String == name) }
    let written = Self.members(of: documents)
    let described = try DocumentedMembers(name, with: Self.schemas[schema] ?? [])
    #expect(described.isDescribed)
    #expect(written.subtracting(described.words).sorted() == [], "written and not described")
    #expect(described.members.subtracting(written).sorted() == [], "described and not written")
  }

  @Test func everySchemaOfTheProgramIsAmongThem() throws {
    let sources = CommandRun.root.appendingPathComponent("Sources")
    var found: Set<String> = []
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    for url in (files?.compactMap { $0 as? URL } ?? []) where url.pathExtension == "swift" {
      for part in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\"racpscope/").dropFirst() {
        let schema = part.prefix { $0 != "\"" && $0 != "/" }
        if part.dropFirst(schema.count).hasPrefix("/1\"") { found.insert(String(schema)) }
      }
    }
    #expect(found == Set(Self.schemas.keys))
    let page = try String(contentsOf: CommandRun.root.appendingPathComponent("docs/json.md"), encoding: .utf8)
    for schema in found { #expect(page.contains("| `racpscope/\(schema)/1` | `"), "\(schema)") }
  }
}
