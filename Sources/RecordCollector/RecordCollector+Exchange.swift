import BluetoothWire
import HealthProfiles

extension RecordCollector {
  /// Sends a request and waits for its response (Core Vol 3 Part F 3.3.2).
  mutating func send(_ pdu: [UInt8], _ purpose: AttributeExchange.Purpose, handle: UInt16) {
    let deadline = now + CollectorTiming.attributeResponse
    exchange = AttributeExchange(purpose: purpose, pdu: pdu, handle: handle, deadline: deadline)
    run.roundTrips += 1
    outbox.append(.send(pdu))
  }

  /// Takes any PDU of the meter.
  mutating func take(_ pdu: RawSpan) {
    guard pdu.byteCount >= 1 else { return }
    let opcode = ATTOpcode(rawValue: pdu.u8(at: 0))
    switch opcode {
    case .notification:
      if pdu.byteCount >= 3 { notified(pdu.part(3, pdu.byteCount - 3), handle: pdu.u16(at: 1)) }
    case .indication:
      // Confirmed at once: the records are copies and stay on the meter (GLS 3.4), and a meter stops everything where a
      // confirmation does not come (GLS 3.4.5). What is durable decides the commit, not the confirmation.
      outbox.append(.send(AttributeEncoding.confirmation))
      if pdu.byteCount >= 3 { indicated(pdu.part(3, pdu.byteCount - 3), handle: pdu.u16(at: 1)) }
    case .multipleNotification: manyNotified(pdu)
    case .errorResponse: errorReceived(pdu)
    default:
      if opcode.role == .response {
        responseReceived(pdu, opcode: opcode.rawValue)
      } else if let answer = PeerRequests.answer(to: pdu, maximumTransmissionUnit: offeredMTU) {
        outbox.append(.send(answer))
      }
    }
  }

  /// Several values in one PDU: handle, length, value each (Core Vol 3 Part F 3.4.7.4).
  private mutating func manyNotified(_ pdu: RawSpan) {
    var offset = 1
    while offset + 4 <= pdu.byteCount {
      let length = Int(pdu.u16(at: offset + 2))
      let rest = pdu.byteCount - offset - 4
      notified(pdu.part(offset + 4, min(length, rest)), handle: pdu.u16(at: offset))
      offset += 4 + length
    }
  }

  private mutating func indicated(_ value: RawSpan, handle: UInt16) {
    if let place = attributes?.recordAccess, place.value == handle {
      responded(RecordAccessResponse(decoding: value))
    } else if let place = attributes?.serviceChanged ?? memory.attributes?.serviceChanged, place.value == handle {
      servicesChanged = true
      if case .preparing = phase { return }
      notice(.servicesChanged)
    } else {
      // Some meters indicate what they should notify; a record is a record.
      notified(value, handle: handle)
    }
  }

  private mutating func responseReceived(_ pdu: RawSpan, opcode: UInt8) {
    // Every request that is sent here is answered by the op code one above its own.
    guard let done = exchange, let request = done.pdu.first, opcode == request &+ 1 else { return }
    exchange = nil
    switch done.purpose {
    case .mtu:
      if pdu.byteCount >= 3 { agreedMTU = max(23, min(offeredMTU, pdu.u16(at: 1))) }
      nextStep()
    case .services: servicesFound(pdu, from: done.handle)
    case .characteristics(let service): characteristicsFound(pdu, service: service, from: done.handle)
    case .descriptors(let service): descriptorsFound(pdu, service: service, from: done.handle)
    case .databaseHash(let verifies): databaseHashRead(pdu, verifies: verifies)
    case .probe: probed(pdu)
    case .read(let reading): valueRead(pdu, reading)
    case .subscribe: nextStep()
    case .recordAccess: requestAccepted()
    case .abort: break
    }
  }

  private mutating func errorReceived(_ pdu: RawSpan) {
    guard let done = exchange, pdu.byteCount >= 5, done.pdu.first == pdu.u8(at: 1) else { return }
    exchange = nil
    let error = ATTError(rawValue: pdu.u8(at: 4))
    if case .abort = done.purpose { return finish(.aborted) }
    if isAborting { return finish(.aborted) }
    if let level = level(lifting: error) {
      securityIsDemanded = true
      repeated = done
      return raiseSecurity(to: level)
    }
    if error.asksForSecurity && !security.isEncrypted { return finish(.notEncrypted) }
    refused(done, error)
  }

  private mutating func refused(_ done: AttributeExchange, _ error: ATTError) {
    // Subscriptions are written once more for a deletion: it is given up.
    if isDeleting, case .subscribe = done.purpose {
      return finish(.attributeError(error, request: done.pdu.first ?? 0, handle: done.handle))
    }
    switch done.purpose {
    case .mtu: nextStep()
    case .services where error == .attributeNotFound: allServicesFound()
    case .characteristics where error == .attributeNotFound, .descriptors where error == .attributeNotFound: nextStep()
    case .databaseHash(let verifies):
      if verifies { discoverAgain(.staleAttributes) }
      nextStep()
    case .probe:
      discoverAgain(.staleAttributes)
      nextStep()
    case .read(let reading):
      if !reading.value.isEmpty {
        // The value was exactly as long as a PDU holds; there is no further part.
        put(reading)
      } else if usesCache && error == ATTError(rawValue: 0x01) {
        discoverAgain(.staleAttributes)
      } else {
        notice(.unreadable(handle: reading.handle, error))
      }
      nextStep()
    case .recordAccess: requestRefused(done, error)
    case .subscribe where usesCache:
      discoverAgain(.staleAttributes)
      nextStep()
    // Service Changed is a help; the run goes on without it.
    case .subscribe where done.handle == attributes?.serviceChanged?.configuration: nextStep()
    case .services, .characteristics, .descriptors, .subscribe, .abort:
      finish(.attributeError(error, request: done.pdu.first ?? 0, handle: done.handle))
    }
  }

  /// A value, or the next part of one that is longer than a PDU (Core Vol 3 Part G 4.8.3).
  private mutating func valueRead(_ pdu: RawSpan, _ reading: Reading) {
    var reading = reading
    let part = pdu.part(1, pdu.byteCount - 1).copied()
    reading.value += part
    if part.count == Int(agreedMTU) - 1, reading.value.count < 512 {
      var writer = ByteWriter([ATTOpcode.readBlobRequest.rawValue])
      writer.u16(reading.handle)
      writer.u16(UInt16(reading.value.count))
      return send(writer.octets, .read(reading), handle: reading.handle)
    }
    put(reading)
    nextStep()
  }

  private mutating func put(_ reading: Reading) {
    let bytes = unsafe reading.value.span.bytes
    switch reading.kind {
    case .feature:
      if let feature = try? GlucoseFeature(decoding: bytes) { identity.feature = feature.rawValue }
    case .currentTime:
      if let time = try? CurrentTime(decoding: bytes) { notice(.meterClock(time.dateTime)) }
    case .dateTime:
      if let time = try? DateTime(decoding: bytes) { notice(.meterClock(time)) }
    case .deviceInformation(let uuid): DeviceInformationReading.put(reading.value, of: uuid, into: &identity)
    }
  }
}
