import BluetoothWire
import HealthProfiles
import LinkTrace
import ReferenceCaptures
import Testing

/// Every capture of the lab against the lab's own notes.
@Suite(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
struct SceneTableTests {
  /// Scenes in which a subscription's characteristic cannot be named, and why.
  static let unnamedSubscriptions = [
    "norecords-loop": "a bonded link without discovery on which no record is sent"
  ]

  @Test func `there are scenes`() { #expect(!Scene.table.isEmpty && !LabFiles.scenes.isEmpty) }

  @Test(arguments: Scene.table)
  func `the collector's capture gives the frames of the table`(_ scene: Scene) throws {
    let trace = try Trace(path: Folder.laboratory.path("captures-collector/\(scene.name).btsnoop"))
    #expect(trace.sceneFrames == scene.frames)
    let records = trace.links.flatMap(\.handles).filter { $0.role == .glucoseMeasurement }
    #expect(records.reduce(0) { $0 + Int($1.notifications) } == scene.records)
    for link in trace.links where !link.procedures.isEmpty {
      let control = try #require(link.handles.first { $0.role == .recordAccess })
      #expect(control.handle == 0x0023)
      let least: Provenance = Self.unnamedSubscriptions[scene.name] == nil ? .remembered : .inferredWeak
      #expect(control.provenance >= least)
      #expect(link.sensor == .remote)
      #expect(link.number >= 1)
    }
  }

  @Test(arguments: LabFiles.scenes)
  func `the meter's capture agrees with the meter's log`(_ scene: String) throws {
    let log = MeterLog(path: scene + ".meter.log")
    let trace = try Trace(path: scene + ".meter.btsnoop")
    let procedures = trace.procedures
    #expect(procedures.map { hexadecimal($0.requestOctets) } == log.requests)
    #expect(results(trace).sorted() == log.results.sorted())
    let reports = procedures.map(\.procedure).filter { $0.opCode == .report && $0.records + $0.trailingRecords > 0 }
    // The meter counts the record that it leaves out on purpose.
    let omitted = name(scene) == "fault-skip-seq" ? 1 : 0
    for count in log.reported {
      #expect(reports.contains { Int($0.records + $0.trailingRecords) + omitted >= count })
    }
    if Self.unnamedSubscriptions[name(scene)] == nil {
      #expect(subscriptions(trace) == log.subscriptions)
    }
    let reasons = trace.inOrder.filter { $0.end.cause == .disconnected }.map(\.end.reason.rawValue)
    #expect(log.disconnections.prefix(reasons.count).map { UInt8($0.dropFirst(2), radix: 16) } == reasons)
    let changes = trace.inOrder.flatMap { SecurityTimeline($0).changes }.filter(\.isOn)
    #expect(changes.count == log.encryptions)
  }

  @Test(arguments: LabFiles.scenes)
  func `both sides of a scene tell the same`(_ scene: String) throws {
    let collector = try Trace(path: scene + ".btsnoop")
    let meter = try Trace(path: scene + ".meter.btsnoop")
    // The meter's file of this scene ends before the link does.
    if name(scene) == "fault-no-response" {
      #expect(meter.procedures.last?.procedure.outcome == .captureEnded)
      return
    }
    let pairs = zip(collector.procedures, meter.procedures)
    #expect(collector.procedures.count == meter.procedures.count)
    for (one, other) in pairs { #expect(sideless(one) == sideless(other)) }
    for (one, other) in zip(collector.inOrder, meter.inOrder) where one.end.cause == other.end.cause {
      // The meter's controller gives the reason of the collector's command, 0x05: it does not tell who gave it.
      if name(scene) != "refuse-pairing" { #expect(one.end.endedBy == other.end.endedBy?.other) }
      #expect(SecurityTimeline(one).changes.map(\.isOn) == SecurityTimeline(other).changes.map(\.isOn))
      let values = (one.subscriptions.map(\.value), other.subscriptions.map(\.value))
      if Self.unnamedSubscriptions[name(scene)] == nil { #expect(values.0 == values.1) }
      if let sensor = one.sensor { #expect(sensor == .remote) }
      if let sensor = other.sensor { #expect(sensor == .local) }
    }
  }

  /// A procedure in the words of either side: times differ by what is on the way, and so does who is local.
  private func sideless(_ summary: ProcedureSummary) -> String {
    var summary = summary
    if case .disconnected = summary.procedure.outcome { summary.procedure.outcome = .disconnected(by: nil) }
    return text(summary, withTimes: false)
  }

  private func results(_ trace: Trace) -> [String] {
    trace.inOrder.flatMap { history in
      history.pdus.filter { $0.opcode == .indication && history.role($0) == .recordAccess }
        .map { hexadecimal(history.value($0).copied()) }
    }
  }

  private func subscriptions(_ trace: Trace) -> [String] {
    trace.inOrder.flatMap(\.subscriptions).filter { $0.error == 0 }.map { subscription in
      let type = subscription.role.type?.short ?? 0
      return hexadecimal(type) + "=" + hexadecimal([UInt8(truncatingIfNeeded: subscription.value), 0])
    }
  }
}
