import BluetoothWire
import CaptureFiles
import HealthProfiles
import Reporting
import Scenarios
import Testing

/// Records that are not the regular case: cut, malformed, without their partner, without a number, not decoded.
@Suite struct UnusualRecordsTests {
  private let meter = Meter()

  /// A link on which the sensor answers one Report with `values`.
  private func report(_ values: [Step]) -> [Step] {
    [.adapterAppears, .firstArrival, .report(.all), .accept] + values + [
      .result(.report, .success), .confirm, .farewell,
    ]
  }

  private func changed(_ number: UInt16, _ change: (inout GlucoseMeasurement) -> Void) -> Step {
    var measurement = meter.measurement(number)
    measurement.contextFollows = false
    change(&measurement)
    return .measurement(measurement)
  }

  @Test func recordsThatAreNotDecodedKeepTheirOctets() throws {
    let csv = try ScenarioRecords(Scenario.insulinPump().capture())
    #expect(csv.totals.opaque == 48)
    #expect(csv.column("kind").allSatisfy { $0 == "opaque" })
    #expect(csv.column("undecoded").allSatisfy { $0.utf8.count == 32 })
    #expect(csv.column("sequence").allSatisfy { $0.isEmpty })
    let json = try ScenarioRecords(Scenario.insulinPump().capture(), format: .jsonl)
    #expect(json.lines.count == 48)
    #expect(json.lines.allSatisfy { !$0.contains("\"sequence\"") && $0.contains("\"undecoded\":\"") })
    let table = try ScenarioRecords(Scenario.insulinPump().capture(), format: .table)
    #expect(table.text.contains("48 values of "))
  }

  @Test(arguments: [Clip.headers, .channels])
  func whatTheLoggerCutIsMarked(clip: Clip) throws {
    let capture = Scenario.firstSync().capture(Rendering(clip: clip))
    let csv = try ScenarioRecords(capture)
    #expect(csv.rows.allSatisfy { $0.count == 38 })
    let cut = csv.rows.filter { $0["clipped"] == "true" }
    #expect(cut.filter { $0["kind"] == "measurement" }.count == csv.totals.clipped)
    #expect(clip == .headers ? cut.count == csv.rows.count && !cut.isEmpty : true)
    #expect(try ScenarioRecords(capture, format: .jsonl).lines.count == csv.rows.count)
  }

  @Test func aMalformedValueIsWrittenUndecoded() throws {
    let short = Array(meter.measurement(1).octets.dropLast(2))
    let long = meter.measurement(2).octets + [0xAA, 0xBB]
    let csv = try ScenarioRecords(
      report([.notify(.measurement, short), .notify(.measurement, long), .notify(.measurement, [])])
    )
    #expect(csv.totals.measurements == 3)
    #expect(csv.totals.undecoded >= 2)
    #expect(csv.column("undecoded").prefix(2) == [short.map(hexOctet).joined(), "aabb"])
    #expect(csv.column("sequence").prefix(2) == ["", "2"])
    let json = try ScenarioRecords(report([.notify(.measurement, long)]), format: .jsonl)
    #expect(json.text.hasSuffix(",\"undecoded\":\"aabb\",\"beside\":[]}\n"))
  }

  private func hexOctet(_ octet: UInt8) -> String { (octet < 16 ? "0" : "") + String(octet, radix: 16) }

  @Test func aContextWithoutItsMeasurementHasItsOwnRow() throws {
    let csv = try ScenarioRecords(
      report([.record(1), .context(meter.context(9)), .record(4), .context(meter.context(4))])
    )
    #expect(csv.column("kind") == ["measurement", "context", "measurement", "context"])
    #expect(csv.column("sequence") == ["1", "9", "4", "4"])
    #expect(csv.column("context") == ["false", "true", "true", "true"])
    #expect(csv.totals.looseContexts == 2)
    #expect(csv.column("base_time")[1] == "")
    let table = try ScenarioRecords(report([.record(1), .context(meter.context(9))]), format: .table)
    #expect(table.text.contains("context without its measurement"))
  }

  @Test func aContextWithOctetsThatNoFieldHoldsIsJoined() throws {
    let csv = try ScenarioRecords(
      report([.record(4, withContext: false), .notify(.context, meter.context(4).octets + [0xEE, 0xEE])])
    )
    #expect(csv.column("kind") == ["measurement"])
    #expect(csv.column("context") == ["true"])
    #expect(csv.totals.looseContexts == 0)
  }

  /// The ring buffer of a bug report keeps a context's number and loses its fields and the end of the report.
  @Test func whatTheLoggerCutIsNotBlamedOnTheSensor() throws {
    var rendering = Rendering()
    rendering.format = .btsnoop(.uart)
    rendering.clip = .ring
    let steps = report([.records(1...30)])
    let csv = try ScenarioRecords(steps, rendering: rendering)
    #expect(csv.rows.count == 30)
    #expect(Set(csv.column("kind")) == ["measurement"])
    #expect(csv.rows.filter { $0["context"] == "true" && $0["meal"] == "" }.count == 7)
    #expect(Set(csv.column("complete")) == [""])
    let table = try ScenarioRecords(steps, format: .table, rendering: rendering).text
    #expect(table.contains("its end not captured") && table.contains("context cut by the logger"))
    #expect(!table.contains("not complete") && !table.contains("without its measurement"))
  }

  /// The story and the records tell the same of records behind a result.
  @Test(arguments: [RecordAccessOpCode.count, .delete])
  func recordsBehindAResultAreThoseOfTheReportBeforeWhateverRuns(opCode: RecordAccessOpCode) throws {
    let behind: [Step] = [
      .request(opCode, .all), .accept, .records(1...3), .result(opCode, .success), .confirm, .fetch(.atLeast(4), 4...5),
      .farewell,
    ]
    let csv = try ScenarioRecords(Array(report([]).dropLast()) + behind)
    #expect(csv.column("procedure") == ["1", "1", "1", "3", "3"])
    #expect(csv.column("after_result") == ["true", "true", "true", "false", "false"])
  }

  /// An absent offset is the one before it in the same report (GLS 3.1.1.4).
  @Test func anOffsetIsNotCarriedFromReportToReport() throws {
    let first: [Step] = [changed(1) { $0.timeOffset = 60 }, changed(2) { $0.timeOffset = nil }]
    let second: [Step] = [
      .report(.atLeast(3)), .accept, changed(3) { $0.timeOffset = nil }, .result(.report, .success), .confirm,
    ]
    let csv = try ScenarioRecords(report(first) + [.bondedArrival] + report(first).dropLast() + second + [.farewell])
    #expect(csv.column("time_offset") == ["60", "60", "60", "60", ""])
    #expect(csv.column("offset_carried") == ["false", "true", "false", "true", "false"])
  }

  @Test func whatSteersATerminalIsWrittenInWords() {
    var output = OutputBuffer()
    output.append(csv: [0x41, 0x1B, 0x5B, 0x33, 0x31, 0x6D, 0x07])
    #expect(output.text == "A\\u{1b}[31m\\u{7}")
  }

  @Test func otherContentUnderAKnownNumberIsToldAcrossLinks() throws {
    let second: [Step] = [
      .arrival, .encrypt(), .report(.all), .accept, .record(1, withContext: false),
      changed(2) { $0.sample?.concentration = MedicalFloat16(word: 0xB100) },
      changed(3) { $0.timeOffset = 77 }, .result(.report, .success), .confirm, .farewell,
    ]
    let csv = try ScenarioRecords(report([.records(1...3)]) + second)
    #expect(csv.column("link") == ["1", "1", "1", "2", "2", "2"])
    // Another time offset makes no other record (GLS 3.1.1.4).
    #expect(csv.column("duplicate") == ["", "", "", "same", "changed", "same"])
    #expect(csv.totals.changed == 1)
    #expect(csv.totals.repeated == 2)
  }

  @Test(
    arguments: [
      (0x07FF, "NaN"), (0x0800, "NRes"), (0x07FE, "'+INFINITY"), (0x0802, "'-INFINITY"), (0x0801, "reserved value"),
    ] as [(UInt16, String)]
  )
  func aSpecialValueIsNamed(word: UInt16, name: String) throws {
    let steps = report([changed(1) { $0.sample?.concentration = MedicalFloat16(word: word) }])
    let csv = try ScenarioRecords(steps)
    #expect(csv.column("special") == [name])
    #expect(csv.column("mg_dl") == [""])
    #expect(csv.column("mmol_l") == [""])
    let json = try ScenarioRecords(steps, format: .jsonl).text
    let plain = name.drop { $0 == "'" }
    #expect(json.contains("\"mg_dl\":null,\"mmol_l\":null,\"unit\":\"mg/dL\",\"special\":\"\(plain)\""))
  }

  @Test func specialValuesOfAContextAreNamed() throws {
    var context = meter.context(8)
    context.carbohydrate?.kilograms = MedicalFloat16(word: 0x07FE)
    context.medication = GlucoseMeasurementContext.Medication(
      identifier: MedicationIdentifier(rawValue: 1),
      amount: MedicalFloat16(word: 0x0801)
    )
    context.hemoglobinA1c = .notANumber
    let csv = try ScenarioRecords(report([.context(context)]))
    #expect(csv.column("carbohydrate_g") == ["'+INFINITY"])
    #expect(csv.column("medication_amount") == ["reserved value"])
    #expect(csv.column("medication_unit") == [""])
    #expect(csv.column("hba1c_percent") == ["NaN"])
    let json = try ScenarioRecords(report([.context(context)]), format: .jsonl).text
    #expect(json.contains("\"carbohydrate_g\":\"+INFINITY\""))
  }

  @Test func everyFieldOfAContextHasItsColumn() throws {
    var context = GlucoseMeasurementContext(sequenceNumber: 5, extendedFlags: 0, medicationUnit: .litres)
    context.carbohydrate = .init(identifier: .init(rawValue: 2), kilograms: MedicalFloat16(word: 0xD02A))
    context.meal = Meal(rawValue: 1)
    context.condition = .init(tester: Tester(rawValue: 2), health: HealthCondition(rawValue: 3))
    context.exercise = .init(seconds: 1_800, intensity: 60)
    context.medication = .init(identifier: .init(rawValue: 3), amount: MedicalFloat16(word: 0xC005))
    context.hemoglobinA1c = MedicalFloat16(word: 0xF03F)
    let csv = try ScenarioRecords(report([changed(5) { $0.contextFollows = true }, .context(context)]))
    let row = try #require(csv.rows.first)
    #expect(csv.rows.count == 1)
    #expect(row["meal"] == context.meal?.name)
    #expect(row["carbohydrate"] == context.carbohydrate?.identifier.name)
    #expect(row["carbohydrate_g"] == "42")
    #expect(row["tester"] == context.condition?.tester.name)
    #expect(row["health"] == context.condition?.health.name)
    #expect(row["exercise_s"] == "1800")
    #expect(row["exercise_percent"] == "60")
    #expect(row["medication"] == context.medication?.identifier.name)
    #expect(row["medication_amount"] == "0.5")
    #expect(row["medication_unit"] == "mL")
    #expect(row["hba1c_percent"] == "6.3")
  }

  @Test func everyBitOfTheStatusIsNamed() throws {
    let steps = report([changed(1) { $0.annunciation = SensorStatusAnnunciation(rawValue: .max) }])
    let names = SensorStatusAnnunciation(rawValue: .max).names
    #expect(try ScenarioRecords(steps).column("status") == [names.joined(separator: ";")])
    let list = "[\"" + names.joined(separator: "\",\"") + "\"]"
    #expect(try ScenarioRecords(steps, format: .jsonl).text.contains("\"status\":" + list))
  }

  @Test func invalidTimesStandAsTheyCame() throws {
    let steps = report([changed(1) { $0.baseTime = DateTime(year: 12_345, month: 13, day: 0, hours: 200) }])
    let csv = try ScenarioRecords(steps)
    #expect(csv.column("base_time") == ["12345-13-00T200:00:00"])
    #expect(csv.column("time") == [""])
    #expect(try ScenarioRecords(steps, format: .jsonl).text.contains("\"base_time\":\"12345-13-00T200:00:00\""))
  }

  @Test(arguments: [-1, 1_440, -32_767, 32_767] as [Int16])
  func offsetsMoveOverDays(minutes: Int16) throws {
    let time = DateTime(year: 2024, month: 2, day: 28, hours: 23, minutes: 59, seconds: 7)
    let csv = try ScenarioRecords(
      report([
        changed(1) {
          $0.baseTime = time
          $0.timeOffset = minutes
        }
      ])
    )
    let moved = try #require(time.adding(minutes: Int(minutes)))
    #expect(csv.column("time") == [moved.description.split(separator: " ").joined(separator: "T")])
    #expect(csv.column("time_offset") == [String(minutes)])
  }

  @Test func namesAreQuoted() throws {
    var meter = Meter()
    meter.name = "=A,\"b\"\nc"
    let csv = try ScenarioRecords(report([.record(1)]), meter: meter, file: "my, \"log\".btsnoop")
    #expect(csv.column("file") == ["my, \"log\".btsnoop"])
    #expect(csv.column("device_name") == ["'=A,\"b\"\nc"])
    #expect(csv.rows.allSatisfy { $0.count == 38 })
  }

  @Test func recordsOverEnhancedBearersAreTheSame() throws {
    let enhanced = try ScenarioRecords(Scenario.eattSync().capture())
    let plain = try ScenarioRecords(Scenario.firstSync().capture())
    #expect(enhanced.rows.count == 30)
    for name in ["sequence", "base_time", "time", "mg_dl", "mmol_l", "type", "location", "context", "meal", "complete"]
    {
      #expect(enhanced.column(name) == plain.column(name), "\(name)")
    }
  }

  @Test func longNamesAndPathsFit() throws {
    let file = String(repeating: "long/", count: 3_000) + "log"
    let csv = try ScenarioRecords(report([.records(1...4)]), file: file)
    #expect(csv.column("file").allSatisfy { $0 == file })
    #expect(try ScenarioRecords(report([.records(1...4)]), format: .jsonl, file: file).lines.count == 4)
  }
}
