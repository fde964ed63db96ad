public import BluetoothWire
import HealthProfiles

/// One link of a device as the rules over several links need it: below a kilobyte with two procedures.
public struct DeviceLink: Sendable {
  /// The ordinal of its file among those of the run; its number in that file's run.
  public var file: UInt16 = 0
  public var number: UInt32
  public var adapter: UInt16
  /// The collector's identity address; nil where the capture does not show it.
  public var collector: DeviceAddress?
  /// True where the collector is the captured host: an unknown address is that of the host.
  public var isCollectorLocal: Bool
  public var firstFrame: UInt32
  public var lastFrame: UInt32
  /// Microseconds since 1970 UTC.
  public var firstTime: Int64
  public var endTime: Int64
  public var endCause: LinkEnd.Cause
  public var facts: VisibilityFacts
  /// How well the handles of the stored-record service are named: the worst of those that matter.
  public var naming: Provenance
  /// True where the link, or another one of the same device, shows it to be a health device.
  public var isHealthLink: Bool
  /// The handle of the control point; 0 where none was used.
  public var controlPoint: UInt16
  public var security: DeviceSecurity
  /// True where a bond holds the device to the table that is remembered of it.
  public var isHeldToTable: Bool
  /// The first request to an attribute of the stored-record service, discovery apart; 0 where there is none.
  public var useFrame: UInt32 = 0
  public var useOpcode = ATTOpcode(rawValue: 0)
  public var useRole = AttributeRole.unknown
  /// A request that was sent before the order to encrypt with a stored key and refused for lack of security; 0 where
  /// there is none.
  public var earlyFrame: UInt32 = 0
  /// True where such a refusal may have crossed the order to encrypt: the sensor's host sees only its controller ask for
  /// the key.
  public var mayBeEarly = false
  /// True where the collector ended the link.
  public var isEndedByCollector: Bool
  /// Frame of the Disconnect command where the host that sent it was captured, else of the end of the link.
  public var departureFrame: UInt32
  public var procedures: [DeviceProcedure]
  /// Numbers of records that belong to no procedure of the capture.
  public var strays: SequenceSet
  /// What was written to the configurations of its stored-record services.
  public var configurations = WrittenConfigurations()
  /// Frame of the first write to one of them; 0 where there is none.
  public var configurationFrame: UInt32 = 0
  /// True where the service was discovered and has no characteristic for contexts.
  public var lacksContext = false
  /// True where the collector turned on indications of Service Changed, under this bond as far as the link shows.
  public var asksForChanges = false
  /// What discovery on this link says of the service with the records; nil where it did not run over all of it.
  public var serviceDigest: UInt64?
  public var discoveryFrame: UInt32 = 0
  /// True where the device indicated Service Changed on this link, or answered that the collector does not know of a
  /// change (Core Vol 3 Part G 2.5.2.1, 7.1).
  public var serviceChanged: Bool
  /// The Glucose Feature as it was read (GLS 3.3), and the frame.
  public var feature: UInt16?
  public var featureFrame: UInt32 = 0
  /// True where anything asked for it.
  public var asksForFeature = false
  /// Tells firmware revisions apart; 0 where none was read.
  public var firmware: UInt32 = 0
  /// Measurements with an annunciation field, and the frame of the first.
  public var annunciations: UInt32 = 0
  public var annunciationFrame: UInt32 = 0
  /// The different annunciations that came, each with the frame of the first measurement that carried it; the first few.
  public private(set) var annunciated: [(bits: UInt16, frame: UInt32)] = []
  public var timeWrites: [TimeWrite] = []

  /// Procedures kept of one link: what a hostile file has beyond is left out.
  private static let procedureLimit = 1_024

  init(_ history: borrowing LinkHistory) {
    number = history.number
    adapter = history.adapter
    let sensor = history.presumedDevice
    isCollectorLocal = sensor == .remote
    collector = isCollectorLocal ? history.localAddress : history.peerIdentity
    firstFrame = history.start?.frame ?? history.firstFrame
    lastFrame = max(history.lastFrame, history.end.frame)
    firstTime = history.firstTime
    endTime = history.end.time
    endCause = history.end.cause
    facts = VisibilityFacts(history)
    var worst = Provenance.discovered
    for traffic in history.handles where traffic.role.isControlPoint || traffic.role.isRecord {
      worst = min(worst, traffic.provenance)
    }
    naming = worst
    isHealthLink = history.isHealthLink
    controlPoint = history.procedures.first?.controlPoint ?? 0
    security = DeviceSecurity(history, sensor: sensor)
    isHeldToTable = history.isHeldToTable
    isEndedByCollector =
      history.end.cause == .disconnected && history.end.endedBy != nil && history.end.endedBy != sensor
    departureFrame = history.end.frame
    if history.end.cause == .disconnected && history.end.endedBy == .local,
      let command = history.events.last(where: { $0.kind == .disconnectCommand })
    {
      departureFrame = command.frame
    }
    procedures = []
    procedures.reserveCapacity(min(history.procedures.count, Self.procedureLimit))
    let overlapped = Self.overlapped(history)
    for index in history.procedures.indices.prefix(Self.procedureLimit) {
      procedures.append(
        DeviceProcedure(history.procedures[index], at: index, isOverlapped: overlapped.contains(UInt32(index)), history)
      )
    }
    strays = history.strayRecords.sequences
    let hasTold = sensor == .remote ? history.counts.peerToldOfChange : history.counts.hostToldOfChange
    serviceChanged = hasTold || history.indicatesChange(sensor)
    takeConfigurations(history, sensor)
    let table = history.database(sensor)
    lacksContext = table.value(0x2A34) == nil && table.value(0x2A18) != nil && table.value(0x2A52) != nil
    for place in procedures.indices where procedures[place].asksForSubscription {
      procedures[place].isSubscribed = isSubscribed(history.procedures[place], history)
    }
    asksForChanges = history.subscriptions.contains {
      $0.server == sensor && $0.error == 0 && $0.value & 2 != 0
        && table.characteristic(ofDescriptor: $0.descriptor)?.type == BluetoothUUID(0x2A05)
    }
    asksForFeature = history.handles.contains { $0.role == .glucoseFeature && $0.total > 0 }
    if history.counts.discoveries > 0 { describe(history, sensor) }
    if history.counts.readAnswers > 0 { read(history, sensor) }
    writes(history, sensor)
    use(history, sensor)
  }

  /// The procedures beside which another one, no Abort, was accepted.
  private static func overlapped(_ history: borrowing LinkHistory) -> Set<UInt32> {
    var overlapped: Set<UInt32> = []
    for procedure in history.procedures where procedure.opCode != .abort {
      if case .refused = procedure.outcome { continue }
      if let other = procedure.overlaps { overlapped.insert(other) }
    }
    return overlapped
  }

  /// What was written to the configurations on the link, and up to each of its requests.
  private mutating func takeConfigurations(_ history: borrowing LinkHistory, _ sensor: Side) {
    var place = 0
    for subscription in history.subscriptions where subscription.server == sensor {
      while place < procedures.count, history.procedures[place].request < subscription.request {
        procedures[place].configurations = configurations
        place += 1
      }
      configurations.take(subscription)
      if configurationFrame == 0 { configurationFrame = history.pdus[Int(subscription.request)].frame }
    }
    for later in procedures.indices[place...] { procedures[later].configurations = configurations }
  }

  /// True where every configuration of a request's own service was turned on over the link before it.
  private func isSubscribed(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    guard procedure.source == .glucose else { return false }
    var (controlPoint, measurement, context) = (false, false, lacksContext)
    for written in history.subscriptions
    where written.server == procedure.server && written.request < procedure.request && written.error == 0 {
      guard let characteristic = written.characteristic, !written.isDoubtful, !written.isInferred else { return false }
      guard procedure.members.contains(characteristic) else { continue }
      switch written.role {
      case .recordAccess where characteristic == procedure.controlPoint: controlPoint = written.value & 2 != 0
      case .glucoseMeasurement: measurement = written.value & 1 != 0
      case .glucoseContext: context = written.value & 1 != 0
      default: continue
      }
    }
    return controlPoint && measurement && context
  }

  /// The first use of the service, and a request that came before encryption was begun.
  private mutating func use(_ history: borrowing LinkHistory, _ sensor: Side) {
    var first = AttributePDU.none
    let isUsed = history.handles.contains {
      $0.server == sensor && Self.isOfService($0.role) && $0.reads + $0.writes > 0
    }
    if isUsed {
      for index in 0..<history.pdus.count {
        let pdu = history.pdus[index]
        guard pdu.server == sensor, pdu.opcode.role == .request || pdu.opcode.isWriteCommand,
          Self.isOfService(history.role(pdu))
        else { continue }
        first = UInt32(index)
        useRole = history.role(pdu)
        break
      }
    }
    for subscription in history.subscriptions
    where subscription.server == sensor && Self.isOfService(subscription.role) && subscription.request < first {
      first = subscription.request
      useRole = .subscription
    }
    if first != AttributePDU.none {
      useFrame = history.pdus[Int(first)].frame
      useOpcode = history.pdus[Int(first)].opcode
    }
    guard security.storedKeyFrame != 0 else { return }
    for pdu in history.pdus {
      if pdu.frame >= security.storedKeyFrame { break }
      guard pdu.server == sensor, pdu.opcode.role == .request, pdu.partner != AttributePDU.none else { continue }
      let answer = history.pdus[Int(pdu.partner)]
      guard answer.opcode == .errorResponse, answer.valueCount >= 4,
        ATTError(rawValue: history.value(answer).u8(at: 3)).asksForSecurity
      else { continue }
      // Sent when the order had been given, and refused on the way.
      if answer.frame > security.storedKeyFrame { break }
      if isOrderUnseen(history), orderTime(history) &- answer.time < history.crossing {
        mayBeEarly = true
      } else {
        earlyFrame = pdu.frame
      }
      break
    }
  }

  /// True where not the order to encrypt is in the capture but the controller's question for the key.
  private func isOrderUnseen(_ history: borrowing LinkHistory) -> Bool {
    history.events.contains { $0.frame == security.storedKeyFrame && $0.kind != .startEncryption }
  }

  private func orderTime(_ history: borrowing LinkHistory) -> Int64 {
    history.events.first { $0.frame == security.storedKeyFrame }?.time ?? .max
  }

  private static func isOfService(_ role: AttributeRole) -> Bool {
    role.isControlPoint || role.isRecord || role == .glucoseContext || role == .glucoseFeature
  }

  /// What was discovered of the service on this link itself.
  private mutating func describe(_ history: borrowing LinkHistory, _ sensor: Side) {
    let known = history.database(sensor)
    let type = BluetoothUUID(0x2A52)
    // What is remembered of an earlier table may stand beside what was found.
    let anchor = known.attributes.first { $0.kind == .value && $0.type == type && $0.provenance == .discovered }
    guard let anchor, let service = known.service(of: anchor.handle), service.provenance == .discovered
    else { return }
    let range = service.handle...max(service.handle, service.groupEnd)
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for attribute in known.attributes where range.contains(attribute.handle) && attribute.kind == .value {
      guard attribute.provenance == .discovered else { continue }
      let part = UInt64(attribute.handle) | UInt64(attribute.type.short ?? 0) << 16 | UInt64(attribute.properties) << 32
      digest = (digest ^ part) &* 0x0000_0100_0000_01B3
    }
    var last: UInt32 = 0
    for pdu in history.pdus where pdu.server == sensor {
      switch pdu.opcode {
      case .findInformationResponse, .findByTypeValueResponse, .readByGroupTypeResponse: last = pdu.frame
      case .errorResponse where pdu.partner != AttributePDU.none:
        if (0x04...0x06).contains(history.pdus[Int(pdu.partner)].opcodeValue) { last = pdu.frame }
      default: continue
      }
    }
    serviceDigest = digest
    discoveryFrame = last
  }

  /// What was read of the device on this link.
  private mutating func read(_ history: borrowing LinkHistory, _ sensor: Side) {
    let known = history.database(sensor)
    let featureHandle = known.value(0x2A51)?.handle
    let firmwareHandle = known.value(0x2A26)?.handle
    guard featureHandle != nil || firmwareHandle != nil else { return }
    for pdu in history.pdus where pdu.opcodeValue == 0x0B && pdu.server == sensor && !pdu.isClipped {
      if pdu.handle == featureHandle { asksForFeature = true }
      if pdu.handle == featureHandle && pdu.valueCount >= 2 && feature == nil {
        feature = history.value(pdu).u16(at: 0)
        featureFrame = pdu.frame
      }
      if pdu.handle == firmwareHandle {
        var hash: UInt32 = 0x811C_9DC5
        let value = history.value(pdu)
        for offset in 0..<value.byteCount { hash = (hash ^ UInt32(value.u8(at: offset))) &* 0x0100_0193 }
        firmware = max(1, hash)
      }
    }
  }

  /// Writes to the device's clock.
  private mutating func writes(_ history: borrowing LinkHistory, _ sensor: Side) {
    guard history.handles.contains(where: { $0.role == .other && $0.server == sensor && $0.writes > 0 }) else { return }
    let known = history.database(sensor)
    let clocks = [known.value(0x2A2B)?.handle, known.value(0x2A08)?.handle].compactMap { $0 }
    guard !clocks.isEmpty else { return }
    var shown: DateTime?
    for pdu in history.pdus where clocks.contains(pdu.handle) && pdu.server == sensor && pdu.valueCount >= 7 {
      let value = DateTime(history.value(pdu), at: 0)
      switch pdu.opcode {
      case .readResponse: shown = value
      case .writeRequest, .executeWriteRequest, .writeCommand, .signedWriteCommand:
        if timeWrites.count < 16 {
          timeWrites.append(TimeWrite(frame: pdu.frame, time: pdu.time, new: value, old: shown))
        }
        shown = value
      default: continue
      }
    }
  }

  /// Annunciations kept of one link: meters raise a few.
  private static let annunciationLimit = 32

  /// Takes note of an annunciation.
  mutating func announce(_ bits: UInt16, frame: UInt32) {
    guard annunciated.count < Self.annunciationLimit, !annunciated.contains(where: { $0.bits == bits }) else { return }
    annunciated.append((bits, frame))
  }

  /// True where records were asked for, or came.
  public var hasRecordTraffic: Bool { !procedures.isEmpty || !strays.isEmpty }

  /// Every number that came on the link.
  public var received: SequenceSet {
    var all = strays
    for procedure in procedures { all.formUnion(procedure.sequences) }
    return all
  }
}
