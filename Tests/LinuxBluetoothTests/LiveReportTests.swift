import BluetoothWire
import HealthProfiles
import RecordCollector
import Reporting
import Testing

/// What scan and sync write.
@Suite struct LiveReportTests {
  private let meter = ScannedDevice(
    address: ManagementCommandTests.meter,
    name: Array("GM-1\u{1B}[31m".utf8),
    signal: -60,
    services: [BluetoothUUID(0x1808)],
    isHealthDevice: true,
    isBonded: true
  )
  private let lamp = ScannedDevice(
    address: DeviceAddress(value: 0x0060_1901_0203, isRandom: false),
    name: nil,
    signal: -40,
    services: [],
    isHealthDevice: false,
    isBonded: nil
  )

  @Test func healthDevicesComeFirstAndNamesAreEscaped() {
    var output = OutputBuffer()
    ScanTable(Terminal()).write([lamp, meter], to: &output)
    let lines = output.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0] == "2 devices, 1 of them for health")
    #expect(lines[1].hasPrefix("+ F0:0D:CA:FE:00:01"))
    #expect(lines[1].contains("bonded"))
    #expect(lines[1].contains("GM-1\\u{1b}[31m"))
    #expect(lines[1].contains("Glucose"))
    #expect(lines[2].contains("00:60:19:01:02:03"))
  }

  @Test func aDeviceIsOneLineOfJSON() {
    let output = ScanTable.jsonLine(lamp, to: OutputBuffer())
    #expect(
      output.text
        == #"{"schema":"racpscope/scan/1","address":"00:60:19:01:02:03","address_type":"public","name":null,"#
        + #""rssi":-40,"services":[],"health":false,"bonded":null}"# + "\n"
    )
  }

  @Test func aRunIsTold() {
    var run = SyncRun(outcome: .synced(new: 30), mark: 30)
    run.received = 30
    run.contexts = 10
    run.stored = 30
    run.duration = 1_500_000_000
    run.startedAt = 1_767_600_000.25
    let report = SyncReport(
      meter: ManagementCommandTests.meter,
      name: "GM-1",
      run: run,
      attempts: 2,
      stored: 30,
      notices: [.duplicates(6)]
    )
    var output = OutputBuffer()
    report.text(Terminal(), to: &output)
    #expect(output.text.hasPrefix("GM-1 (F0:0D:CA:FE:00:01): 30 new records are stored.\n"))
    #expect(output.text.contains("30 received with 10 contexts"))
    let json = report.json(to: OutputBuffer()).text
    #expect(json.hasPrefix(#"{"schema":"racpscope/sync/1","meter":"F0:0D:CA:FE:00:01","#))
    #expect(json.contains(#""outcome":"synced","complete":true"#))
    #expect(json.contains(#""started_at":1767600000.250,"seconds":1.500"#))
    #expect(json.contains(#""notices":[{"notice":"duplicates","message":"6 records came twice."}]"#))
  }

  @Test(
    arguments: [
      .synced(new: 1), .nothingNew, .aborted, .linkLost(reason: "x"), .timedOut(.recordAccess), .timedOut(.security),
      .refused(.serverBusy), .busy, .wrongAnswer([1]), .pairingFailed(.declined), .bondLost(.keyMissing), .notEncrypted,
      .storeFailed("x"), .notAGlucoseMeter, .tooMuchData,
    ] as [SyncOutcome]
  )
  func everyOutcomeIsASentence(outcome: SyncOutcome) {
    #expect(outcome.sentence.first.map { $0.isUppercase || $0.isNumber } == true)
    #expect(outcome.sentence.hasSuffix(".") || outcome == .storeFailed("x"))
    #expect(!outcome.name.contains(" "))
    // Pairing and lost bonds have a way out of their own, which knows who keeps the bond.
    switch outcome {
    case .synced, .nothingNew, .aborted, .pairingFailed, .bondLost: #expect(outcome.hint.isEmpty)
    default: #expect(outcome.hint.hasSuffix("."), "\(outcome)")
    }
  }
}
