import Foundation
import Testing

/// Sides, exit statuses and complaints of `compare`.
@Suite struct CompareCommandTests {
  private static let skip = "samples/link-loss-skip.btsnoop"
  private static let whole = "samples/first-sync.btsnoop"

  private func document(_ arguments: [String]) throws -> (status: Int32, json: [String: Any]) {
    let run = try CommandRun(["compare", "--utc", "--format", "json"] + arguments)
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return (run.status, json ?? [:])
  }

  private func device(_ json: [String: Any]) -> [String: Any] { (json["devices"] as? [[String: Any]])?.first ?? [:] }

  @Test func theAnswerComesFirst() throws {
    let run = try CommandRun(["compare", Self.skip, Self.whole])
    let lines = run.output.split(separator: "\n")
    #expect(run.status == 1)
    #expect(lines[0] == "A (link-loss-skip.btsnoop) misses 18 of the 30 readings in B, numbers 13–30.")
    #expect(lines[1].contains("went wrong at #216: asked for report ≥ 31 after the link was lost at number 12"))
  }

  @Test func theDocumentSaysTheSame() throws {
    let (status, json) = try document([Self.skip, Self.whole])
    let device = device(json)
    let missing = (device["missingFromFirst"] as? [[String: Any]])?.first ?? [:]
    #expect(status == 1)
    #expect(json["schema"] as? String == "racpscope/comparison/1")
    #expect(json["exit"] as? Int == 1)
    #expect(missing["cause"] as? String == "skipped")
    #expect(missing["frame"] as? Int == 216)
    #expect(missing["numbers"] as? [[Int]] == [[13, 30]])
    #expect((device["onlySecond"] as? [[String: Any]])?.count == 18)
    let parting = device["parting"] as? [String: Any]
    #expect((parting?["first"] as? [String: Any])?["step"] as? String == "result")
  }

  @Test func severalCapturesMakeOneSide() throws {
    let both = Self.skip + "," + Self.whole
    let (status, json) = try document([both, Self.whole])
    #expect(status == 0)
    let first = json["first"] as? [String: Any]
    #expect((first?["captures"] as? [Any])?.count == 2)
    #expect((device(json)["first"] as? [String: Any])?["againOnLaterLink"] as? Int == 12)
    let joined = try document(["--join", both, Self.whole])
    #expect(joined.status == 0)
    #expect(((joined.json["first"] as? [String: Any])?["captures"] as? [Any])?.count == 1)
  }

  @Test func aFileMayHaveACommaInItsName() throws {
    let folder = try ScratchFolder()
    let path = try folder.copy("first-sync.btsnoop", as: "a,b.btsnoop")
    let (status, json) = try document([path, Self.whole])
    #expect(status == 0)
    #expect(device(json)["common"] as? Int == 30)
  }

  @Test func standardInputIsASide() throws {
    let folder = try ScratchFolder()
    let octets = try folder.octets(ofSample: "first-sync.btsnoop")
    let run = try CommandRun(["compare", "-", Self.whole], input: octets)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("A and B hold the same 30 readings: 1–30."))
    #expect(try CommandRun(["compare", "-", "-"]).status == 2)
  }

  @Test func nothingToCompare() throws {
    let run = try CommandRun(["compare", "samples/bond-lost.pklg", "samples/insulin-pump.pcapng", "--device", "none"])
    #expect(run.status == 3)
    #expect(run.output.hasPrefix("Nothing to compare"))
  }

  @Test func whatCannotBeReadIsNotCompared() throws {
    let run = try CommandRun(["compare", Self.whole + ",samples/absent.btsnoop", Self.whole])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.contains("absent.btsnoop"))
  }

  @Test func aStoreNeedsAFile() throws {
    let run = try CommandRun(["compare", Self.whole, "store:F0:0D:CA:FE:00:01"])
    #expect(run.status == 2)
    #expect(run.complaint.contains("--store"))
    let absent = try CommandRun(["compare", "--store", "absent.db", Self.whole, "store:GM-1"])
    #expect(absent.status == 2)
    #expect(absent.complaint.contains("absent.db"))
  }

  @Test func theOutputIsNoInput() throws {
    let folder = try ScratchFolder()
    let path = try folder.copy("first-sync.btsnoop", as: "first.btsnoop")
    let run = try CommandRun(["compare", "--output", path, path, Self.whole])
    #expect(run.status == 2)
    #expect(try folder.octets("first.btsnoop") == folder.octets(ofSample: "first-sync.btsnoop"))
  }

  @Test func metersOfOneModel() throws {
    let meters = ["samples/no-result.btsnoop", "samples/no-encryption.btsnoop"]
    let apart = try CommandRun(["compare"] + meters)
    #expect(apart.status == 1)
    #expect(apart.output.contains("--ignore-identity"))
    let together = try CommandRun(["compare", "--ignore-identity"] + meters)
    #expect(together.status == 0)
    #expect(together.output.contains("compared as one"))
    #expect(together.output.hasPrefix("A and B hold the same 30 readings: 1–30."))
  }
}
