import BluetoothWire
import HealthProfiles
import ReferenceCaptures
import Reporting
import Testing

/// The rows of a fetch against the list of records the lab's meter was given.
@Suite(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
struct LabRecordsTests {
  /// The members of the flat objects of a JSON list.
  private func given() throws -> [[String: String]] {
    let file = try #require(FileContent(Folder.laboratory.path("captures/records.json")))
    return file.text.split(separator: "{").dropFirst().map { object in
      var members: [String: String] = [:]
      for member in object.prefix(while: { $0 != "}" }).split(separator: ",") {
        let parts = member.split(separator: ":", maxSplits: 1)
          .map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
        if parts.count == 2 && parts[1] != "null" { members[parts[0]] = parts[1] }
      }
      return members
    }
  }

  @Test func everyFieldIsWhatTheMeterWasGiven() throws {
    let given = try given()
    #expect(!given.isEmpty)
    var options = RecordsOptions()
    options.format = .csv
    let text = try RecordsText.of(SampleFiles.path("first-sync.btsnoop"), options).text
    let rows = CommaSeparated.rows(text)
    let names = try #require(rows.first)
    #expect(rows.count == given.count + 1)
    for (row, record) in zip(rows.dropFirst(), given) {
      let row = Dictionary(zip(names, row)) { first, _ in first }
      let number = record["seq"] ?? "no number"
      #expect(row["sequence"] == number)
      #expect(row["base_time"] == record["base_time"], "record \(number)")
      // The meter leaves out an offset that has not changed: the row then carries the one before.
      if let offset = record["offset_min"] { #expect(row["time_offset"] == offset, "record \(number)") }
      let isMass = record["unit"] == "kg/L"
      #expect(row["unit"] == (isMass ? "mg/dL" : "mmol/L"), "record \(number)")
      if isMass { #expect(row["mg_dl"] == record["mgdl"], "record \(number)") }
      let octets = Self.octets(record["measurement"] ?? "")
      let sent = try GlucoseMeasurement(decoding: octets.span.bytes)
      let concentration = try #require(sent.sample.map { GlucoseConcentration($0.concentration, unit: sent.unit) })
      #expect(row["mg_dl"] == concentration.text(in: .milligramsPerDecilitre), "record \(number)")
      #expect(row["mmol_l"] == concentration.text(in: .millimolesPerLitre), "record \(number)")
      #expect(row["type"] == record["type"].flatMap { UInt8($0) }.map { GlucoseSampleType(rawValue: $0).name })
      #expect(
        row["location"] == record["location"].flatMap { UInt8($0) }.map { GlucoseSampleLocation(rawValue: $0).name }
      )
      let status = record["status"].flatMap { UInt16($0) } ?? 0
      #expect(row["status"] == SensorStatusAnnunciation(rawValue: status).names.joined(separator: ";"))
      #expect(row["context"] == (record["context"] == nil ? "false" : "true"), "record \(number)")
      #expect(row["meal"] == (record["meal"].flatMap { UInt8($0) }.map { Meal(rawValue: $0).name } ?? ""))
      #expect(row["carbohydrate_g"] == (record["carbs_g"] ?? ""), "record \(number)")
      #expect(row["undecoded"] == "")
    }
  }

  private static func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
