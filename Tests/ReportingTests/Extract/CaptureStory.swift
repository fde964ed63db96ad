import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace

/// What a capture tells, without frame numbers, dates, addresses and values: the same before and after an extract.
struct CaptureStory: LinkConsumer {
  /// One line for each fact.
  private(set) var lines: [String] = []
  private(set) var numbers: [UInt32] = []
  /// Measurements by delivery: sequence number, concentration word, base time, type and location.
  private(set) var measurements: [GlucoseMeasurement] = []
  private var devices: [DeviceAddress] = []
  private var firstTime: Int64?

  init(_ capture: [UInt8], name: String = "capture") throws {
    var tracker = LinkTracker()
    self.init()
    try read(capture, name, &tracker)
    guard tracker.memory.learnedLate else { return }
    var second = LinkTracker(memory: tracker.memory)
    self = CaptureStory()
    try read(capture, name, &second)
  }

  private init() {}

  private mutating func read(_ capture: [UInt8], _ name: String, _ tracker: inout LinkTracker) throws {
    var reader = try CaptureReader.open(.memory(capture, name: name))
    tracker.read(&reader, into: &self)
    tracker.finish(into: &self)
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let link = LinkSummary(history)
    numbers.append(link.number)
    let device = (link.peerIdentity ?? link.start?.peer).map { address in
      if let known = devices.firstIndex(of: address) { return known }
      devices.append(address)
      return devices.count - 1
    }
    let origin = firstTime ?? link.firstTime
    firstTime = origin
    lines.append(
      [
        "link \(numbers.count): hci\(link.adapter) handle \(link.handle), device \(device ?? -1)",
        " \((link.peerIdentity?.kind).map { $0.rawValue } ?? "-"), \((link.start?.peer.kind).map { $0.rawValue } ?? "-")",
        " resolved \(link.start?.isPeerResolved ?? false), central \(link.start?.isCentral ?? false)",
        " interval \(link.start?.interval ?? 0) local \(link.localAddress != nil) \(link.localAddress?.isRandom ?? false)",
      ].joined()
    )
    lines.append(
      [
        "from \(link.firstTime - origin) for \(link.lastTime - link.firstTime), end \(link.end.cause)",
        " \(link.end.reason.rawValue) by \(String(describing: link.end.endedBy))",
      ].joined()
    )
    lines.append("counts \(link.counts)")
    lines.append(
      [
        "sensor \(String(describing: link.sensor)), mtu \(link.mtu ?? 0), service \(String(describing: link.service)),",
        " stray \(link.strayRecords.count) \(link.strayRecords.sequences.ranges)",
      ].joined()
    )
    security(link.security)
    for traffic in link.healthHandles {
      lines.append(
        [
          "handle \(traffic.handle) \(traffic.server) \(traffic.role) \(traffic.provenance) \(traffic.total)",
          " \(traffic.dropped) \(traffic.notifications) \(traffic.indications) \(traffic.writes) \(traffic.reads)",
        ].joined()
      )
    }
    for traffic in history.handles { lines.append("use \(traffic.handle) \(traffic.server) \(traffic.total)") }
    for subscription in link.subscriptions {
      lines.append(
        [
          "subscription \(subscription.descriptor) \(subscription.role) \(subscription.value) \(subscription.error)",
          " \(subscription.isInferred)",
        ].joined()
      )
    }
    for summary in link.procedures { procedure(summary, link) }
    for event in history.events {
      lines.append(
        [
          "event \(event.kind) \(event.isReceived) \(event.code) \(event.value) at \(event.time - link.firstTime)"
        ].joined()
      )
    }
    for (side, database) in [("local", history.local), ("remote", history.remote)] {
      for attribute in database.attributes { lines.append("\(side) \(attribute)") }
    }
    for pdu in history.pdus {
      lines.append(
        [
          "pdu \(pdu.opcode.name) \(pdu.handle) \(pdu.valueCount) of \(pdu.originalLength) flags \(pdu.flags)",
          " partner \(pdu.partner) bearer \(pdu.bearer)",
        ].joined()
      )
      guard history.role(pdu) == .glucoseMeasurement, pdu.opcode == .notification else { continue }
      if let value = try? GlucoseMeasurement(decoding: history.value(pdu)) { measurements.append(value) }
    }
  }

  private mutating func security(_ security: SecurityTimeline) {
    for change in security.changes { lines.append("encryption \(change.isOn) \(change.keySize)") }
    if let pairing = security.pairing {
      lines.append("pairing \(pairing.initiator) \(pairing.responder) \(pairing.initiatedBy) \(pairing.method)")
    }
    lines.append(
      [
        "failure \(String(describing: security.failure?.reason)) refused \(String(describing: security.refusedKey?.status))",
        " stored \(security.usedStoredKey) distributed \(security.distributedKeys)",
        " requested \(security.securityRequest != nil)",
      ].joined()
    )
  }

  private mutating func procedure(_ summary: ProcedureSummary, _ link: LinkSummary) {
    let procedure = summary.procedure
    lines.append(
      [
        "procedure \(procedure.controlPoint) \(procedure.server) \(procedure.dialect) \(procedure.provenance)",
        " \(hex(summary.requestOctets.prefix(3))) \(procedure.outcome) records \(procedure.records)",
        " contexts \(procedure.contexts) trailing \(procedure.trailingRecords) \(procedure.trailingContexts)",
        " duplicates \(procedure.duplicates) descents \(procedure.descents) sequences \(procedure.sequences.ranges)",
      ].joined()
    )
    lines.append(
      [
        "  gaps \(procedure.gaps.count) \(procedure.gaps.median) \(procedure.gaps.longest)",
        " \(String(describing: procedure.gaps.beforeResult)) overlaps \(String(describing: procedure.overlaps))",
        " early \(procedure.startedBeforeAnswer)",
        " other \(procedure.resultNamesOther) took \(procedure.endTime - procedure.startTime)",
      ].joined()
    )
  }
}
