import BluetoothWire

/// What a device said of itself: Device Information strings, its name, its battery (DIS, GAP, BAS).
///
/// Octets as they came; text from a device is escaped where it is printed.
public struct DeviceInformation: Sendable {
  public var name: [UInt8]?
  public var manufacturer: [UInt8]?
  public var model: [UInt8]?
  public var serial: [UInt8]?
  public var firmware: [UInt8]?
  public var hardware: [UInt8]?
  public var software: [UInt8]?
  /// Battery Level in percent.
  public var battery: UInt8?
  /// The Glucose Feature bits.
  public var glucoseFeature: UInt16?

  public init() {}

  public var isEmpty: Bool {
    name == nil && manufacturer == nil && model == nil && serial == nil && firmware == nil && hardware == nil
      && software == nil && battery == nil && glucoseFeature == nil
  }

  /// Takes over what the reads of one side's attributes on a link gave; long values are put together.
  public mutating func learn(_ history: borrowing LinkHistory, server: Side) {
    guard history.counts.readAnswers > 0 else { return }
    for index in history.pdus.indices {
      let pdu = history.pdus[index]
      switch pdu.opcode {
      case .readResponse, .readBlobResponse:
        guard pdu.server == server, !pdu.isClipped, pdu.attribute != .max else { continue }
        guard let type = type(pdu.handle, history, server) else { continue }
        let isContinued = pdu.opcode == .readBlobResponse
        take(type, history.value(pdu).copied(), isContinued: isContinued)
      case .readByTypeResponse:
        guard pdu.server == server, !pdu.isClipped, pdu.partner != AttributePDU.none else { continue }
        let request = history.pdus[Int(pdu.partner)]
        let asked = history.value(request)
        let answer = history.value(pdu)
        guard asked.byteCount == 4, answer.byteCount > 3, answer.u8(at: 0) == answer.byteCount - 1 else { continue }
        take(asked.u16(at: 2), answer.extracting(3..<answer.byteCount).copied(), isContinued: false)
      default: continue
      }
    }
  }

  private func type(_ handle: UInt16, _ history: borrowing LinkHistory, _ server: Side) -> UInt16? {
    switch server {
    case .local: history.local[handle]?.type.short
    case .remote: history.remote[handle]?.type.short
    }
  }

  private mutating func take(_ type: UInt16, _ value: [UInt8], isContinued: Bool) {
    switch type {
    case 0x2A00: Self.set(&name, value, isContinued)
    case 0x2A29: Self.set(&manufacturer, value, isContinued)
    case 0x2A24: Self.set(&model, value, isContinued)
    case 0x2A25: Self.set(&serial, value, isContinued)
    case 0x2A26: Self.set(&firmware, value, isContinued)
    case 0x2A27: Self.set(&hardware, value, isContinued)
    case 0x2A28: Self.set(&software, value, isContinued)
    case 0x2A19: if let level = value.first { battery = level }
    case 0x2A51: if value.count >= 2 { glucoseFeature = UInt16(value[0]) | UInt16(value[1]) << 8 }
    default: return
    }
  }

  private static func set(_ field: inout [UInt8]?, _ value: [UInt8], _ isContinued: Bool) {
    // An attribute has at most 512 octets (Core Vol 3 Part F 3.2.9).
    if isContinued, let before = field, before.count + value.count <= 512 {
      field = before + value
    } else if !isContinued {
      field = value
    }
    // Some devices pad their strings to a fixed field; the zeros are no part of the text.
    while field?.last == 0 { field?.removeLast() }
  }
}
