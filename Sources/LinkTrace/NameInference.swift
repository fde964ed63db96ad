import BluetoothWire
import HealthProfiles

/// Names handles by the shape of their traffic, where nothing else names them (field rules V-NAME).
///
/// A control point shows itself by a request and the result that answers it; a measurement by values that satisfy the
/// length formula with a valid date; a context by following the measurement with the same number. One fact alone gives
/// no name; the control point alone gives a weak one, because its service stays unknown.
enum NameInference {
  /// What the PDUs of one unnamed handle look like.
  private struct Evidence {
    var requests = 0
    var insulinRequests = 0
    var otherWrites = 0
    var results = 0
    var matched = 0
    var insulinMatched = 0
    var otherIndications = 0
    var refusals = 0
    var subscribed = false
    var lastOpCode: UInt8?
    var measurements = 0
    var contexts = 0
    var notifications = 0
    var clippedRising = 0
    var clippedFollowing = 0
    var lastSequence: UInt16?
    var distinct = 0
  }

  static func infer(_ history: inout LinkHistory) {
    let isPlausible = history.handles.contains {
      $0.role == .unknown && ($0.writes > 0 || $0.measurementShapes > 0 || $0.indications > 0)
    }
    guard isPlausible else { return }
    var evidence = [Evidence](repeating: Evidence(), count: history.handles.count)
    var lastMeasurement: (local: UInt16?, remote: UInt16?) = (nil, nil)
    for index in history.pdus.indices {
      collect(index, history, &evidence, &lastMeasurement)
    }
    noteSubscriptions(history, &evidence)
    nameMeasurements(&history, evidence)
    nameControlPoints(&history, evidence)
    demoteLoneMeasurements(&history, evidence)
    nameOpaqueRecords(&history)
  }

  /// A descriptor right behind the handle that was written with the bit for indications.
  private static func noteSubscriptions(_ history: borrowing LinkHistory, _ evidence: inout [Evidence]) {
    guard evidence.contains(where: { $0.requests > 0 }) else { return }
    var places = HandleIndex()
    for slot in history.handles.indices {
      places.insert(HandleIndex.key(history.handles[slot].handle, history.handles[slot].server), slot: slot)
    }
    for slot in history.handles.indices {
      let traffic = history.handles[slot]
      guard evidence[slot].requests > 0, traffic.handle < .max,
        let descriptor = places.slot(HandleIndex.key(traffic.handle + 1, traffic.server))
      else { continue }
      evidence[slot].subscribed = evidence[descriptor].lastOpCode == 2 && evidence[descriptor].otherWrites > 0
    }
  }

  private static func collect(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ evidence: inout [Evidence],
    _ lastMeasurement: inout (local: UInt16?, remote: UInt16?)
  ) {
    let pdu = history.pdus[index]
    guard pdu.attribute != .max else { return }
    let slot = Int(pdu.attribute)
    let role = history.handles[slot].role
    // What is written to a descriptor tells of the value in front of it. Where the logger cut the discovery the one may
    // have a name and the other none.
    let isDescribing =
      role == .subscription && history.counts.clippedPDUs > 0 && pdu.opcode.role != .notification
      && pdu.opcode != .indication
    guard role == .unknown || role == .glucoseMeasurement || isDescribing else { return }
    switch pdu.opcode {
    case .notification, .multipleNotification: notification(pdu, slot, history, &evidence, &lastMeasurement)
    case .writeRequest, .executeWriteRequest, .writeCommand, .signedWriteCommand: write(pdu, slot, history, &evidence)
    case .indication: indication(pdu, slot, history, &evidence)
    case .errorResponse:
      let value = history.value(pdu)
      guard value.byteCount >= 4, value.u8(at: 0) == 0x12 || value.u8(at: 0) == 0x18 else { return }
      let code = value.u8(at: 3)
      if code == 0x80 || code == 0x81 || code == 0xFD || code == 0xFE { evidence[slot].refusals += 1 }
    default: return
    }
  }

  private static func notification(
    _ pdu: AttributePDU,
    _ slot: Int,
    _ history: borrowing LinkHistory,
    _ evidence: inout [Evidence],
    _ lastMeasurement: inout (local: UInt16?, remote: UInt16?)
  ) {
    evidence[slot].notifications += 1
    let value = history.value(pdu)
    if GlucoseMeasurement.looksLikeMeasurement(value) {
      evidence[slot].measurements += 1
      let sequence = value.u16(at: 1)
      if evidence[slot].lastSequence != sequence { evidence[slot].distinct += 1 }
      evidence[slot].lastSequence = sequence
      if pdu.isReceived { lastMeasurement.remote = sequence } else { lastMeasurement.local = sequence }
    } else if value.byteCount >= 3 && GlucoseMeasurementContext.looksLikeContext(value) {
      let before = pdu.isReceived ? lastMeasurement.remote : lastMeasurement.local
      if before == value.u16(at: 1) { evidence[slot].contexts += 1 }
    } else if pdu.isClipped && value.byteCount >= 2 {
      // What Android's filters leave of a record: the flags and one or two octets of the number.
      let sequence = value.byteCount >= 3 ? value.u16(at: 1) : UInt16(value.u8(at: 1))
      let rises = evidence[slot].lastSequence.map { sequence == $0 &+ 1 || (sequence == 0 && $0 == 0xFF) } ?? false
      if rises && value.u8(at: 0) < 0x20 { evidence[slot].clippedRising += 1 }
      evidence[slot].lastSequence = sequence
      let before = pdu.isReceived ? lastMeasurement.remote : lastMeasurement.local
      if before == sequence { evidence[slot].clippedFollowing += 1 }
      if pdu.isReceived { lastMeasurement.remote = sequence } else { lastMeasurement.local = sequence }
    }
  }

  private static func write(
    _ pdu: AttributePDU,
    _ slot: Int,
    _ history: borrowing LinkHistory,
    _ evidence: inout [Evidence]
  ) {
    let value = history.value(pdu)
    evidence[slot].lastOpCode = value.byteCount > 0 ? value.u8(at: 0) : nil
    if RecordAccessRequest.looksLikeRequest(value) {
      evidence[slot].requests += 1
    } else if RecordAccessRequest.looksLikeRequest(value, dialect: .insulinDelivery) {
      evidence[slot].insulinRequests += 1
    } else {
      evidence[slot].otherWrites += 1
    }
  }

  private static func indication(
    _ pdu: AttributePDU,
    _ slot: Int,
    _ history: borrowing LinkHistory,
    _ evidence: inout [Evidence]
  ) {
    let value = history.value(pdu)
    if value.byteCount == 4 && value.u8(at: 1) == 0 && (value.u8(at: 0) == 6 || value.u8(at: 0) == 5) {
      evidence[slot].results += 1
      let named = value.u8(at: 0) == 5 ? 4 : value.u8(at: 2)
      let isKnownCode = value.u8(at: 0) == 5 || (value.u8(at: 3) >= 1 && value.u8(at: 3) <= 0x0A)
      if named == evidence[slot].lastOpCode && isKnownCode { evidence[slot].matched += 1 }
    } else if pdu.isClipped && value.byteCount >= 2 && value.u8(at: 1) == 0
      && (value.u8(at: 0) == 6 || value.u8(at: 0) == 5)
    {
      evidence[slot].results += 1
      if value.byteCount >= 3 && value.u8(at: 0) == 6 && value.u8(at: 2) == evidence[slot].lastOpCode {
        evidence[slot].matched += 1
      }
    } else if RecordAccessResponse.looksLikeResponse(value, dialect: .insulinDelivery),
      value.u8(at: 0) != 0x0F || value.u8(at: 2) == evidence[slot].lastOpCode
    {
      evidence[slot].insulinMatched += 1
    } else {
      evidence[slot].otherIndications += 1
    }
  }

  private static func nameMeasurements(_ history: inout LinkHistory, _ evidence: [Evidence]) {
    for slot in history.handles.indices where history.handles[slot].role == .unknown {
      let facts = evidence[slot]
      guard facts.notifications > 0, history.handles[slot].dropped == 0 else { continue }
      if facts.measurements * 10 >= facts.notifications * 9 && facts.measurements > 0 {
        history.handles[slot].role = .glucoseMeasurement
        history.handles[slot].provenance = .inferred
      } else if facts.contexts * 10 >= facts.notifications * 9 && facts.contexts > 0 {
        history.handles[slot].role = .glucoseContext
        history.handles[slot].provenance = .inferred
      }
    }
    nameClippedMeasurements(&history, evidence)
  }

  /// Of clipped records only the flags and the number are left: numbers that rise one by one, and a second handle that
  /// repeats the number just sent, make a weak name where a control point was written to.
  private static func nameClippedMeasurements(_ history: inout LinkHistory, _ evidence: [Evidence]) {
    for server in [Side.local, .remote] where !hasMeasurement(history, server) {
      let slots = history.handles.indices.filter {
        history.handles[$0].server == server && history.handles[$0].role == .unknown && evidence[$0].notifications > 3
      }
      let hasRequest = history.handles.indices.contains {
        history.handles[$0].server == server && evidence[$0].requests > 0 && evidence[$0].otherWrites == 0
      }
      guard hasRequest,
        let measurement = slots.first(where: { evidence[$0].clippedRising * 10 >= evidence[$0].notifications * 8 })
      else { continue }
      history.handles[measurement].role = .glucoseMeasurement
      history.handles[measurement].provenance = .inferredWeak
      for slot in slots
      where slot != measurement && evidence[slot].clippedFollowing * 10 >= evidence[slot].notifications * 9 {
        history.handles[slot].role = .glucoseContext
        history.handles[slot].provenance = .inferredWeak
      }
    }
  }

  private static func hasMeasurement(_ history: LinkHistory, _ server: Side) -> Bool {
    history.handles.contains { $0.server == server && $0.role == .glucoseMeasurement }
  }

  /// The sides on which a handle is found.
  private static func sides(_ history: LinkHistory, where isWanted: (HandleTraffic) -> Bool) -> Set<Side> {
    Set([Side.local, .remote].filter { side in history.handles.contains { $0.server == side && isWanted($0) } })
  }

  private static func nameControlPoints(_ history: inout LinkHistory, _ evidence: [Evidence]) {
    let measuring = sides(history) { $0.role == .glucoseMeasurement }
    let surelyMeasuring = sides(history) { $0.role == .glucoseMeasurement && $0.provenance != .inferredWeak }
    for slot in history.handles.indices where history.handles[slot].role == .unknown {
      let facts = evidence[slot]
      let traffic = history.handles[slot]
      if facts.insulinMatched > 0 && facts.insulinRequests > 0 && facts.otherWrites == 0
        && facts.otherIndications == 0
      {
        history.handles[slot].role = .insulinRecordAccess
        history.handles[slot].provenance = .inferred
        continue
      }
      guard facts.otherIndications == 0, traffic.notifications == 0 else { continue }
      let isAnswered = facts.matched > 0 && facts.requests + facts.otherWrites > 0
      let isFollowed =
        measuring.contains(traffic.server) && facts.requests > 0 && facts.otherWrites == 0
        && (facts.results > 0 || facts.subscribed)
      let isRefused = facts.refusals > 0 && facts.requests > 0 && facts.otherWrites == 0
      guard isAnswered || isFollowed || isRefused else { continue }
      history.handles[slot].role = .recordAccess
      let isSure = surelyMeasuring.contains(traffic.server) && (isAnswered || isFollowed)
      history.handles[slot].provenance = isSure ? .inferred : .inferredWeak
    }
  }

  /// Values in the shape of records without a control point need three different numbers to be a name.
  private static func demoteLoneMeasurements(_ history: inout LinkHistory, _ evidence: [Evidence]) {
    let controlled = sides(history) { $0.role == .recordAccess }
    for slot in history.handles.indices
    where history.handles[slot].role == .glucoseMeasurement && history.handles[slot].provenance == .inferred {
      if !controlled.contains(history.handles[slot].server) && evidence[slot].distinct < 3 {
        history.handles[slot].role = .unknown
        history.handles[slot].provenance = .unnamed
      }
    }
  }

  /// The one handle that speaks only while an inferred control point works carries its records, whatever they hold.
  private static func nameOpaqueRecords(_ history: inout LinkHistory) {
    let controls = history.handles.indices.filter { history.handles[$0].role.isControlPoint }
    // Each costs a walk over the link; no server here has had more than three.
    for control in controls.prefix(8) {
      let role = history.handles[control].role
      let server = history.handles[control].server
      let carrier: AttributeRole = role == .insulinRecordAccess ? .insulinHistory : .otherRecords
      let isServed = history.handles.contains {
        $0.server == server && ($0.role == carrier || (role == .recordAccess && $0.role == .glucoseMeasurement))
      }
      guard !isServed, history.handles[control].provenance <= .inferred else { continue }
      if let slot = burst(history, control: control) {
        history.handles[slot].role = carrier
        history.handles[slot].provenance = .inferredWeak
      }
    }
  }

  private static func burst(_ history: LinkHistory, control: Int) -> Int? {
    var inside = [Int](repeating: 0, count: history.handles.count)
    var outside = inside
    var isOpen = false
    for pdu in history.pdus where pdu.attribute != .max {
      let slot = Int(pdu.attribute)
      if slot == control {
        switch pdu.opcode {
        case .writeRequest, .executeWriteRequest, .writeCommand, .signedWriteCommand: isOpen = true
        case .indication, .errorResponse: isOpen = false
        default: continue
        }
      } else if pdu.opcode.role == .notification && history.handles[slot].role == .unknown {
        if isOpen { inside[slot] += 1 } else { outside[slot] += 1 }
      }
    }
    let candidates = inside.indices.filter { inside[$0] > 0 && outside[$0] == 0 }
    return candidates.count == 1 ? candidates[0] : nil
  }
}
