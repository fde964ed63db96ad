import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios

/// The packets of an example that a reader needs: security, the health service, the end of the link.
struct ExamplePackets: LinkConsumer {
  private(set) var lines: [String] = []
  private(set) var findings: [Finding] = []
  /// When the first line's packet passed.
  private var start: Int64?
  /// Records that wait to be written as one line.
  private var records: (frame: UInt32, time: Int64, numbers: SequenceSet, packets: Int)?
  /// The frame of the last Execute Write Response.
  private var executed: UInt32 = 0

  init(_ example: RuleExample) {
    let octets = example.scenario.capture(example.rendering)
    findings = ExampleFindings(octets, name: example.scenario.name).findings
    guard var reader = try? CaptureReader.open(.memory(octets, name: example.scenario.name)) else { return }
    var tracker = LinkTracker()
    tracker.read(&reader, into: &self)
    tracker.finish(into: &self)
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let anchors = findings.compactMap(\.frames.first)
    var event = 0
    for index in 0..<history.pdus.count {
      while event < history.events.count && history.events[event].frame < history.pdus[index].frame {
        write(history.events[event], history, anchors)
        event += 1
      }
      write(history.pdus[index], history, anchors)
    }
    for later in history.events[event...] { write(later, history, anchors) }
    flush()
    line(history.end.frame, history.end.time, "link", Self.ending(history), anchors)
  }

  private static func ending(_ history: borrowing LinkHistory) -> String {
    switch history.end.cause {
    case .open: return "is still up"
    case .captureEnded: return "is still up when the capture ends"
    case .controllerGone: return "is cut off: the controller is reset"
    case .superseded: return "is over: its end is not captured"
    case .disconnected: break
    }
    guard let side = history.end.endedBy else { return "is lost: \(history.end.reason.name)" }
    guard let sensor = history.sensor else { return side == .local ? "ended by this host" : "ended by the peer" }
    return side == sensor ? "ended by the sensor" : "ended by the collector"
  }

  private mutating func write(_ pdu: AttributePDU, _ history: borrowing LinkHistory, _ anchors: [UInt32]) {
    let role = history.role(pdu)
    let isTold =
      role.isControlPoint || role.isRecord || role == .glucoseContext || role == .glucoseFeature
      || role == .subscription || pdu.opcode == .executeWriteRequest || pdu.opcode == .executeWriteResponse
      || anchors.contains(pdu.frame)
    // A discovery is told by its absence only.
    guard isTold, anchors.contains(pdu.frame) || !Self.isDiscovery(pdu) else { return }
    if pdu.opcode == .notification && !anchors.contains(pdu.frame) { return collect(pdu, role, history) }
    // An execution is answered once for all that it writes.
    if pdu.opcode == .executeWriteResponse {
      if executed == pdu.frame { return }
      executed = pdu.frame
    }
    flush()
    let isBySensor = pdu.server == (pdu.isReceived ? .remote : .local)
    line(pdu.frame, pdu.time, isBySensor ? "sensor" : "collector", Self.text(pdu, role, history), anchors)
  }

  private static func isDiscovery(_ pdu: AttributePDU) -> Bool { (0x02...0x09).contains(pdu.opcodeValue) }

  private mutating func collect(_ pdu: AttributePDU, _ role: AttributeRole, _ history: borrowing LinkHistory) {
    var run = records ?? (pdu.frame, pdu.time, SequenceSet(), 0)
    if role.isRecord && pdu.valueCount >= 3 { run.numbers.insert(UInt32(history.value(pdu).u16(at: 1))) }
    run.packets += 1
    records = run
  }

  private mutating func flush() {
    guard let run = records else { return }
    records = nil
    let ranges = run.numbers.ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    let packets = run.packets == 1 ? "1 notification" : "\(run.packets) notifications"
    line(run.frame, run.time, "sensor", "records \(ranges.joined(separator: ", ")) (\(packets))", [])
  }

  private mutating func write(_ event: LinkEvent, _ history: borrowing LinkHistory, _ anchors: [UInt32]) {
    let text: String
    var isOfLink = event.kind == .encryptionChange
    switch event.kind {
    case .encryptionChange where event.code != 0:
      text = "encryption fails: \(ControllerError(rawValue: event.code).name)"
    case .encryptionChange: text = event.value & 0xFF != 0 ? "encrypted" : "no longer encrypted"
    case .disconnectCommand: text = "Disconnect"
    case .pairingRequest: text = "Pairing Request"
    case .pairingFailed: text = "Pairing Failed"
    case .securityRequest: text = "Security Request"
    case .startEncryption: text = "order to encrypt"
    case .longTermKeyNegativeReply: text = "no key"
    case .reassemblyBroken: text = "a fragment that fits nothing"
    default:
      guard anchors.contains(event.frame), let told = LinkEventText.line(event) else { return }
      text = told.line
      isOfLink = !told.isOfHost
    }
    flush()
    let isByCollector = (event.isReceived ? Side.remote : .local) == history.presumedDevice.other
    line(
      event.frame,
      event.time,
      isOfLink ? "link" : isByCollector ? "collector" : "sensor",
      text,
      anchors
    )
  }

  private mutating func line(_ frame: UInt32, _ time: Int64, _ who: String, _ text: String, _ anchors: [UInt32]) {
    let since = (time - (start ?? time)) / 1000
    if start == nil { start = time }
    let mark = anchors.contains(frame) ? "   <-- here" : ""
    lines.append(
      Self.right("#\(frame)", 5) + Self.right(since < 100_000 ? "\(since) ms" : "\(since / 1000) s", 10) + "  "
        + Self.left(who, 11) + text + mark
    )
  }

  private static func text(_ pdu: AttributePDU, _ role: AttributeRole, _ history: borrowing LinkHistory) -> String {
    let value = history.value(pdu)
    switch pdu.opcode {
    case .writeRequest where role == .subscription: return "writes the CCCD: \(hex(value.copied()))"
    case .writeCommand where role == .subscription, .executeWriteRequest where role == .subscription:
      return "writes the CCCD: \(hex(value.copied())) (\(pdu.opcode.name))"
    case .prepareWriteRequest where value.byteCount >= 2:
      let name = role == .subscription ? "the CCCD" : role.isControlPoint ? "the control point" : "handle \(pdu.handle)"
      return "prepares a write of \(name): " + hex(value.extracting(2..<value.byteCount).copied())
    case .prepareWriteResponse, .executeWriteResponse: return pdu.opcode.name
    case .executeWriteRequest where pdu.handle == 0: return "cancels what is prepared"
    case .executeWriteRequest where role.isControlPoint:
      return RecordAccessRequest(decoding: value).summary + " (\(pdu.opcode.name))"
    case .executeWriteRequest: return "writes handle \(pdu.handle) (\(pdu.opcode.name)): \(hex(value.copied()))"
    case .writeCommand where role.isControlPoint, .signedWriteCommand where role.isControlPoint:
      return RecordAccessRequest(decoding: value).summary + " (\(pdu.opcode.name))"
    case .writeRequest where role.isControlPoint: return RecordAccessRequest(decoding: value).summary
    case .writeRequest, .writeCommand: return "writes handle \(pdu.handle): \(hex(value.copied()))"
    case .indication where role.isRecord || role == .glucoseContext: return "indication: \(hex(value.copied()))"
    case .indication: return RecordAccessResponse(decoding: value).summary
    case .confirmation: return "Confirmation"
    case .writeResponse: return "Write Response"
    case .readRequest where role == .glucoseFeature: return "reads the feature"
    case .readRequest:
      return "reads the \(role.isControlPoint ? "control point" : role.isRecord ? "measurement" : "value")"
    case .readResponse: return "Read Response: \(hex(value.copied()))"
    case .errorResponse: return "Error Response 0x" + hex(UInt64(value.byteCount >= 4 ? value.u8(at: 3) : 0), digits: 2)
    default: return "notification: \(hex(value.copied()))"
    }
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
