import BluetoothWire
import LinkTrace

/// Reads the measurements and contexts of one link into the compact records of its device.
struct LinkRecords {
  private var spans = ProcedureSpans()
  /// The offset last received, and the procedure it was received in (GLS 3.1.1.4).
  private var offset: (minutes: Int16, procedure: Int?)?
  /// Contexts that came before their measurement, the last few: the meter's order is the other way round (GLS 3.4.3.4).
  private var early: [(sequence: UInt16, ordinal: UInt32)] = []

  /// Measurements a context is looked for among; it follows its own at once where the meter does as it should.
  private static let reach = 256

  static func read(_ history: borrowing LinkHistory, into device: inout FetchedDevice, _ link: inout FetchedLink) {
    guard history.handles.contains(where: { $0.role.isRecord || $0.role == .glucoseContext }) else { return }
    var reader = LinkRecords()
    reader.spans.fill(history)
    let first = device.records.count
    for index in history.pdus.indices {
      let pdu = history.pdus[index]
      guard pdu.attribute != .max else { continue }
      let role = history.handles[Int(pdu.attribute)].role
      guard role == .glucoseContext || role.isRecord else { continue }
      let opcode = pdu.opcode
      guard opcode == .notification || opcode == .indication || opcode == .multipleNotification else { continue }
      let ordinal = reader.spans.place(index).procedure
      let procedure = ordinal == 0 ? nil : Int(ordinal) - 1
      if let procedure { link.octets[procedure] += UInt64(max(pdu.originalLength, 3) - 3) }
      switch role {
      case .glucoseMeasurement: reader.measurement(pdu, history.value(pdu), procedure, &device, &link)
      case .glucoseContext: reader.context(pdu, history.value(pdu), from: first, &device)
      default: link.opaqueRecords += 1
      }
    }
    device.orphanContexts += reader.early.count
  }

  private mutating func measurement(
    _ pdu: AttributePDU,
    _ value: RawSpan,
    _ procedure: Int?,
    _ device: inout FetchedDevice,
    _ link: inout FetchedLink
  ) {
    guard var record = ComparedRecord(value, isClipped: pdu.isClipped || pdu.isValueDropped) else {
      link.unreadableRecords += 1
      return
    }
    record.frame = pdu.frame
    record.place = UInt32(truncatingIfNeeded: link.firstPlace + (procedure ?? link.summary.procedures.count))
    if let own = record.offset {
      offset = (own, procedure)
    } else if let offset, offset.procedure == procedure, !record.isClipped {
      record.offset = offset.minutes
    }
    if !early.isEmpty, let found = early.firstIndex(where: { $0.sequence == record.sequenceNumber }) {
      record.contextOrdinal = early.remove(at: found).ordinal
    }
    device.records.append(record)
  }

  private mutating func context(
    _ pdu: AttributePDU,
    _ value: RawSpan,
    from first: Int,
    _ device: inout FetchedDevice
  ) {
    guard value.byteCount >= 3 else {
      device.orphanContexts += 1
      return
    }
    let sequence = value.u16(at: 1)
    device.contexts.append(ComparedContext(value))
    let ordinal = UInt32(truncatingIfNeeded: device.contexts.count)
    var index = device.records.count - 1
    while index >= first && index >= device.records.count - Self.reach {
      if device.records[index].sequenceNumber == sequence {
        // One that has its context already belongs to an earlier delivery.
        if device.records[index].contextOrdinal == 0 {
          device.records[index].contextOrdinal = ordinal
          return
        }
        break
      }
      index -= 1
    }
    early.append((sequence, ordinal))
    if early.count > Self.reach {
      early.removeFirst()
      device.orphanContexts += 1
    }
  }
}
