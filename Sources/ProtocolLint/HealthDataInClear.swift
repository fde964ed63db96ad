import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-001: a sensor gives health data on a link that is not encrypted.
public struct HealthDataInClear: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-001",
    name: "health-data-in-clear",
    summary: "the sensor gives records or carries out record access on an unencrypted link",
    rationale: """
      The glucose profile lifts every characteristic of the service to LE security mode 1, level 2 or 3. A sensor \
      that answers in clear gives a person's measurements to anyone in radio range, and to any collector that asks.
      """,
    remedy: """
      Sensor: answer requests on an unencrypted link with 0x05 or 0x0F and send a Security Request. Collector: \
      pair or encrypt before the first request.
      """,
    clause: "GLP 6.1 (S33), GLS table 3.1",
    needs: [.bothDirections, .noLoss, .security],
    explains: ["SEC-011"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "nobody encrypts, and the sensor serves all the same",
        "no-encryption",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .marked(.read(.feature)), .subscribe(), .fetch(.all, 1...6),
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the stored key fails and the collector goes on in clear",
        "key-missing",
        [
          .arrival, .encrypt(status: 0x06), .exchangeMTU(185), .discoverGlucose, .subscribe(), .report(.all),
          .marked(.accept), .records(1...3), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("SEC-004"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the link is encrypted before the first value is given",
        "encrypted-first",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the sensor refuses until the collector has paired",
        "refused-then-paired",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .report(.all), .refuse(error: 0x05), .pair(), .subscribe(),
          .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor,
      history.handles.contains(where: { $0.server == sensor && Self.isProtected($0.role) && $0.total > 0 })
    else { return .notApplicable }
    var frames: [UInt32] = []
    var exposed = 0
    var first: AttributePDU?
    var encryption = Encryption(history)
    for index in 0..<history.pdus.count {
      let pdu = history.pdus[index]
      // A link that stays encrypted is not looked through record by record.
      if encryption.isOver(at: pdu.frame, history) { break }
      guard pdu.attribute != .max, history.handles[Int(pdu.attribute)].server == sensor,
        gives(pdu, history.handles[Int(pdu.attribute)].role), encryption.state == .clear
      else { continue }
      if first == nil { first = pdu }
      exposed += 1
      if frames.count < Finding.frameLimit { frames.append(pdu.frame) }
    }
    guard let first else { return .pass }
    // The profile demands encryption of glucose services, not of every service with the same control point.
    let isAsked = subject.isGlucose
    return .fail([
      Finding(
        "SEC-001",
        isAsked ? .error : .note,
        .sensor,
        .certain,
        link: history.number,
        frames: frames,
        omitted: exposed - frames.count,
        time: first.time,
        key: Self.name(history.handles[Int(first.attribute)].role),
        message: "health data or record access in clear in \(exposed) packet\(exposed == 1 ? "" : "s"), "
          + "the first \(article(Self.kind(first))) \(Self.kind(first)) of the \(Self.name(history.handles[Int(first.attribute)].role))",
        evidence: evidence(subject.security)
      )
    ])
  }

  /// What both sides did for the link's security.
  private func evidence(_ security: SecurityTimeline) -> [String] {
    var lines: [String] = []
    if let refused = security.refusedKey {
      lines.append("encryption with the stored key failed in frame \(refused.frame)")
    } else if security.usedStoredKey {
      lines.append("the collector encrypted the link with a stored key, and these packets came outside of it")
    } else if let pairing = security.pairing {
      lines.append("the collector began pairing in frame \(pairing.frame)")
    } else {
      lines.append("the collector neither paired nor started encryption on this link (C15, C16)")
    }
    if let on = security.firstOn { lines.append("the link is encrypted from frame \(on.frame) on") }
    lines.append(
      security.securityRequest.map { "the sensor asked for security in frame \($0)" }
        ?? "the sensor sent no Security Request"
    )
    return lines
  }

  private static func isProtected(_ role: AttributeRole) -> Bool {
    switch role {
    case .recordAccess, .glucoseMeasurement, .glucoseContext, .glucoseFeature, .otherRecords: true
    case .insulinRecordAccess, .insulinHistory, .subscription, .other, .unknown: false
    }
  }

  /// True for what the profile protects: a request carried out, a result, a record, the feature's value.
  private func gives(_ pdu: AttributePDU, _ role: AttributeRole) -> Bool {
    switch role {
    case .recordAccess: pdu.opcode.saysWritten || pdu.opcode == .indication
    case .glucoseMeasurement, .glucoseContext: pdu.isDelivery
    case .otherRecords: pdu.opcode == .notification || pdu.opcode == .indication
    case .glucoseFeature: pdu.opcode == .readResponse
    default: false
    }
  }

  private static func kind(_ pdu: AttributePDU) -> String {
    switch pdu.opcode {
    case .writeResponse, .executeWriteResponse: pdu.opcode.name
    case .readResponse: "Read Response"
    case .indication: "indication"
    default: "notification"
    }
  }

  private static func name(_ role: AttributeRole) -> String {
    switch role {
    case .recordAccess: "control point"
    case .glucoseFeature: "feature"
    case .glucoseContext: "context"
    default: "measurement"
    }
  }
}

extension HealthDataInClear {
  /// Follows the encryption of a link along its packets.
  ///
  /// Between the order to encrypt and the controller's answer nothing is said: what was sent before the order may
  /// arrive after it, and a host may see a protected packet before the event that tells of the protection.
  private struct Encryption {
    enum State { case clear, changing, on, unknown }
    private(set) var state: State
    private var next = 0
    /// The last frame that changes anything.
    private var lastChange: UInt32 = 0

    init(_ history: borrowing LinkHistory) {
      state = history.start == nil ? .unknown : .clear
      for event in history.events where Self.after(event, .clear) != nil { lastChange = event.frame }
    }

    /// Goes on to a frame; true where the link is encrypted there and stays so.
    mutating func isOver(at frame: UInt32, _ history: borrowing LinkHistory) -> Bool {
      while next < history.events.count && history.events[next].frame <= frame {
        if let changed = Self.after(history.events[next], state) { state = changed }
        next += 1
      }
      return state == .on && frame >= lastChange
    }

    private static func after(_ event: LinkEvent, _ state: State) -> State? {
      switch event.kind {
      case .startEncryption, .longTermKeyRequest, .longTermKeyReply: state == .on ? .on : .changing
      case .longTermKeyNegativeReply: .clear
      case .encryptionChange:
        if event.code == 0 { event.value & 0xFF != 0 ? .on : .clear } else { state == .on ? .on : .clear }
      default: nil
      }
    }
  }
}
