import BluetoothWire
import HealthProfiles
import LinkTrace

/// Says an ATT PDU in one line.
struct AttributeText {
  let names: PacketNames
  /// Labels that were asked for, by handle and server.
  private var labels: [UInt32: String] = [:]

  init(names: PacketNames) { self.names = names }

  /// Writes what the PDU is, whose attribute, and what its value means.
  mutating func write(_ pdu: AttributePDU, _ history: borrowing LinkHistory, to output: inout OutputBuffer) {
    // Records come by the thousand.
    guard pdu.opcode == .notification, pdu.bearer == 0, !pdu.isClipped, !pdu.isValueDropped, pdu.handle != 0,
      names.role(pdu.handle, pdu.server) == .glucoseMeasurement
    else { return output.append(line(pdu, history)) }
    output.append(pdu.opcode.name)
    output.append(" ")
    let key = UInt32(pdu.handle) << 1 | UInt32(pdu.server.rawValue)
    if let label = labels[key] {
      output.append(label)
    } else {
      let label = names.label(pdu.handle, pdu.server)
      labels[key] = label
      output.append(label)
    }
    let value = history.value(pdu)
    guard value.byteCount > 0 else { return }
    output.append(": ")
    if !ValueText.write(measurement: value, isClipped: false, to: &output) { output.append(octetText(value)) }
  }

  /// What the PDU is, whose attribute, and what its value means.
  func line(_ pdu: AttributePDU, _ history: borrowing LinkHistory) -> String {
    let value = history.value(pdu)
    let cut = pdu.isClipped ? " (\(pdu.originalLength) octets, cut by the logger)" : ""
    let text: String
    switch pdu.opcode {
    case .errorResponse: text = error(pdu, value)
    case .exchangeMTURequest, .exchangeMTUResponse:
      text = pdu.opcode.name + (value.byteCount >= 2 ? " \(value.u16(at: 0))" : "")
    case .findInformationRequest: text = pdu.opcode.name + range(pdu, value)
    case .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
      text = pdu.opcode.name + range(pdu, value) + kind(pdu, value)
    case .findInformationResponse: text = pdu.opcode.name + information(value)
    case .findByTypeValueResponse: text = pdu.opcode.name + groups(value)
    case .readByTypeResponse, .readByGroupTypeResponse: text = pdu.opcode.name + list(pdu, history)
    case .readRequest, .readBlobRequest, .writeResponse, .executeWriteResponse, .confirmation: text = named(pdu)
    case .readResponse, .writeRequest, .writeCommand, .notification, .indication, .multipleNotification,
      .signedWriteCommand, .readBlobResponse:
      text = named(pdu) + valueText(pdu, value)
    case .prepareWriteRequest: text = named(pdu) + part(pdu, value)
    case .prepareWriteResponse:
      text = named(pdu) + part(pdu, value.extracting(min(2, value.byteCount)..<value.byteCount))
    case .executeWriteRequest where pdu.handle != 0: text = named(pdu) + valueText(pdu, value)
    case .executeWriteRequest: text = pdu.opcode.name + execution(value)
    default: text = pdu.opcode.name + (value.byteCount > 0 ? " " + octetText(value) : "")
    }
    return (pdu.bearer > 0 ? "bearer \(pdu.bearer): " : "") + text + cut
  }

  private func named(_ pdu: AttributePDU) -> String {
    pdu.handle == 0 ? pdu.opcode.name : pdu.opcode.name + " " + names.label(pdu.handle, pdu.server)
  }

  private func error(_ pdu: AttributePDU, _ value: RawSpan) -> String {
    guard value.byteCount >= 4 else { return pdu.opcode.name }
    let handle = value.u16(at: 1)
    let code = value.u8(at: 3)
    let name =
      ATTError(rawValue: code).name
      ?? ProfileErrors.profileErrorName(code: code, service: names.service(handle, pdu.server))
    let label = handle == 0 ? "" : " " + names.label(handle, pdu.server)
    return
      "\(pdu.opcode.name) to \(ATTOpcode(rawValue: value.u8(at: 0)).name)\(label): \(name) (0x\(hex(UInt64(code), digits: 2)))"
  }

  private func range(_ pdu: AttributePDU, _ value: RawSpan) -> String {
    guard value.byteCount >= 2 else { return "" }
    return " " + handles(pdu.handle, value.u16(at: 0))
  }

  private func handles(_ first: UInt16, _ last: UInt16) -> String {
    "0x" + hex(UInt64(first), digits: 4) + "–0x" + hex(UInt64(last), digits: 4)
  }

  /// The type a discovery request asks for, and its value.
  private func kind(_ pdu: AttributePDU, _ value: RawSpan) -> String {
    let count = pdu.opcode == .findByTypeValueRequest ? 2 : value.byteCount - 2
    guard value.byteCount >= 4, let type = BluetoothUUID(value, at: 2, count: count) else { return "" }
    let text = " " + Self.name(type)
    guard pdu.opcode == .findByTypeValueRequest, value.byteCount > 4,
      let wanted = BluetoothUUID(value, at: 4, count: value.byteCount - 4)
    else { return text }
    return text + " " + Self.name(wanted)
  }

  static func name(_ type: BluetoothUUID) -> String { AssignedNumbers.name(of: type) ?? type.description }

  private func information(_ value: RawSpan) -> String {
    guard value.byteCount >= 1 else { return "" }
    let width = value.u8(at: 0) == 1 ? 2 : 16
    var parts: [String] = []
    var at = 1
    while at + 2 + width <= value.byteCount, let type = BluetoothUUID(value, at: at + 2, count: width) {
      parts.append("0x" + hex(UInt64(value.u16(at: at)), digits: 4) + " " + Self.name(type))
      at += 2 + width
    }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  private func groups(_ value: RawSpan) -> String {
    var parts: [String] = []
    var at = 0
    while at + 4 <= value.byteCount {
      parts.append(handles(value.u16(at: at), value.u16(at: at + 2)))
      at += 4
    }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  /// The entries of a list of services, characteristics or values.
  private func list(_ pdu: AttributePDU, _ history: borrowing LinkHistory) -> String {
    let value = history.value(pdu)
    guard value.byteCount >= 1, value.u8(at: 0) >= 2 else { return "" }
    let width = Int(value.u8(at: 0))
    var asked: UInt16?
    if pdu.partner != AttributePDU.none, Int(pdu.partner) < history.pdus.count {
      let question = history.value(history.pdus[Int(pdu.partner)])
      if question.byteCount == 4 { asked = question.u16(at: 2) }
    }
    var parts: [String] = []
    var at = 1
    while at + width <= value.byteCount {
      let entry = value.extracting(at..<(at + width))
      at += width
      if pdu.opcode == .readByGroupTypeResponse, width >= 6, let type = BluetoothUUID(entry, at: 4, count: width - 4) {
        parts.append(handles(entry.u16(at: 0), entry.u16(at: 2)) + " " + Self.name(type))
      } else if asked == 0x2803, width >= 7, let type = BluetoothUUID(entry, at: 5, count: width - 5) {
        parts.append("0x" + hex(UInt64(entry.u16(at: 3)), digits: 4) + " " + Self.name(type))
      } else {
        let rest = entry.extracting(2..<width)
        parts.append(
          "0x" + hex(UInt64(entry.u16(at: 0)), digits: 4)
            + (ValueText.text(rest, type: asked, role: .unknown, isClipped: pdu.isClipped).map { " " + $0 } ?? "")
        )
      }
    }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }

  private func valueText(_ pdu: AttributePDU, _ value: RawSpan) -> String {
    if pdu.isValueDropped { return ": value not kept" }
    guard value.byteCount > 0 else { return "" }
    let role = names.role(pdu.handle, pdu.server)
    let type = names.type(pdu.handle, pdu.server)?.short
    // The octets of a long value are a part of it.
    if pdu.opcode != .readBlobResponse,
      let text = ValueText.text(value, type: type, role: role, isClipped: pdu.isClipped)
    {
      return ": " + text
    }
    return ": " + octetText(value)
  }

  /// A part of a value behind its offset.
  private func part(_ pdu: AttributePDU, _ value: RawSpan) -> String {
    if pdu.isValueDropped { return ": value not kept" }
    guard value.byteCount >= 2 else { return "" }
    return ": from octet \(value.u16(at: 0)): " + octetText(value.extracting(2..<value.byteCount))
  }

  /// What an execution does of which no prepared write is in the capture.
  private func execution(_ value: RawSpan) -> String {
    guard value.byteCount >= 1 else { return "" }
    return value.u8(at: 0) == 0 ? ": cancels what is prepared" : " " + octetText(value)
  }

  private func octetText(_ value: RawSpan) -> String {
    let shown = min(24, value.byteCount)
    return hex(value.extracting(0..<shown).copied()) + (shown < value.byteCount ? "… (\(value.byteCount) octets)" : "")
  }
}
