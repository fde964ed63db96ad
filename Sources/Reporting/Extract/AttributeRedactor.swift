import BluetoothWire
import LinkTrace

/// Redacts the ATT PDUs of one link: which handle a response is about comes from its request.
struct AttributeRedactor {
  private let natures: [UInt32: ValueNature]
  /// Requests without an answer, by bearer and direction, the oldest first.
  private var open: [UInt16: [Request]] = [:]

  private struct Request {
    var opcode: UInt8
    var handles: [UInt16]
    var offset = 0
    var type: BluetoothUUID?
  }

  init(_ natures: [UInt32: ValueNature]) { self.natures = natures }

  private func nature(_ handle: UInt16, _ server: Side) -> ValueNature {
    natures[SurveyedLink.key(handle, server)] ?? .unnamed
  }

  /// Redacts a PDU that begins at `start` of `octets` and ends with them, whole or as much as the logger kept.
  mutating func redact(
    _ octets: inout [UInt8],
    from start: Int,
    isReceived: Bool,
    bearer: UInt8,
    _ tools: inout RedactionTools
  ) {
    guard start < octets.count else { return }
    let opcode = ATTOpcode(rawValue: octets[start])
    switch opcode.role {
    case .request, .command:
      request(&octets, start, opcode, isReceived: isReceived, bearer, &tools)
    case .response:
      response(&octets, start, opcode, isReceived: isReceived, bearer, &tools)
    case .notification, .indication:
      let server: Side = isReceived ? .remote : .local
      if opcode == .multipleNotification {
        together(&octets, start, server, &tools)
      } else {
        value(&octets, start + 3, Self.word(octets, start + 1), server, isWrite: false, &tools)
      }
    case .confirmation: return
    case .unknown: tools.scramble(&octets, (start + 1)..<max(start + 1, octets.count))
    }
  }

  private static func word(_ octets: [UInt8], _ at: Int) -> UInt16 {
    at + 2 <= octets.count ? UInt16(octets[at]) | UInt16(octets[at + 1]) << 8 : 0
  }

  private func value(
    _ octets: inout [UInt8],
    _ at: Int,
    _ handle: UInt16,
    _ server: Side,
    offset: Int = 0,
    isWrite: Bool,
    _ tools: inout RedactionTools
  ) {
    guard at < octets.count else { return }
    tools.redact(
      value: &octets,
      at..<octets.count,
      nature(handle, server),
      offset: offset,
      isWrite: isWrite
    )
  }

  private func together(_ octets: inout [UInt8], _ start: Int, _ server: Side, _ tools: inout RedactionTools) {
    var at = start + 1
    while at + 4 <= octets.count {
      let end = min(octets.count, at + 4 + Int(Self.word(octets, at + 2)))
      tools.redact(value: &octets, (at + 4)..<end, nature(Self.word(octets, at), server), isWrite: false)
      at = end
    }
  }

  // MARK: Requests

  private static func queue(_ bearer: UInt8, received: Bool) -> UInt16 { UInt16(bearer) << 1 | (received ? 1 : 0) }

  private mutating func request(
    _ octets: inout [UInt8],
    _ start: Int,
    _ opcode: ATTOpcode,
    isReceived: Bool,
    _ bearer: UInt8,
    _ tools: inout RedactionTools
  ) {
    let server: Side = isReceived ? .local : .remote
    let handle = Self.word(octets, start + 1)
    var request = Request(opcode: opcode.rawValue, handles: [handle])
    switch opcode {
    case .writeRequest, .writeCommand: value(&octets, start + 3, handle, server, isWrite: true, &tools)
    case .signedWriteCommand:
      let end = max(start + 3, octets.count - 12)
      tools.redact(value: &octets, (start + 3)..<end, nature(handle, server), isWrite: true)
      tools.scramble(&octets, end..<max(end, octets.count))
    case .prepareWriteRequest:
      value(
        &octets,
        start + 5,
        handle,
        server,
        offset: Int(Self.word(octets, start + 3)),
        isWrite: true,
        &tools
      )
    case .readBlobRequest: request.offset = Int(Self.word(octets, start + 3))
    case .readByTypeRequest:
      let count = octets.count - start - 5
      request.type =
        unsafe count == 2 || count == 16 ? BluetoothUUID(octets.span.bytes, at: start + 5, count: count) : nil
    case .findByTypeValueRequest:
      // Only the discovery of services looks for a value that is no one's.
      let type = Self.word(octets, start + 5)
      if type != 0x2800 && type != 0x2801 { tools.scramble(&octets, (start + 7)..<max(start + 7, octets.count)) }
    case .readMultipleRequest, .readMultipleVariableRequest:
      request.handles = stride(from: start + 1, to: octets.count - 1, by: 2).map { Self.word(octets, $0) }
    case .exchangeMTURequest, .findInformationRequest, .readRequest, .readByGroupTypeRequest, .executeWriteRequest:
      break
    default: tools.scramble(&octets, (start + 1)..<max(start + 1, octets.count))
    }
    guard opcode.role == .request else { return }
    let queue = Self.queue(bearer, received: isReceived)
    open[queue, default: []].append(request)
    if open[queue, default: []].count > 4 { open[queue]?.removeFirst() }
  }

  /// The request a response answers; nil where it is not in the capture.
  private mutating func answered(_ wanted: UInt8, _ bearer: UInt8, isReceived: Bool) -> Request? {
    let queue = Self.queue(bearer, received: !isReceived)
    guard let position = open[queue]?.firstIndex(where: { $0.opcode == wanted }) else { return nil }
    return open[queue]?.remove(at: position)
  }

  // MARK: Responses

  private mutating func response(
    _ octets: inout [UInt8],
    _ start: Int,
    _ opcode: ATTOpcode,
    isReceived: Bool,
    _ bearer: UInt8,
    _ tools: inout RedactionTools
  ) {
    let server: Side = isReceived ? .remote : .local
    if opcode == .errorResponse {
      if start + 1 < octets.count { _ = answered(octets[start + 1], bearer, isReceived: isReceived) }
      return
    }
    let request = answered(opcode.rawValue &- 1, bearer, isReceived: isReceived)
    let first = request?.handles.first ?? 0
    switch opcode {
    case .readResponse, .readBlobResponse:
      // Without its request nothing tells what was read.
      guard request != nil else { return tools.scramble(&octets, (start + 1)..<max(start + 1, octets.count)) }
      value(&octets, start + 1, first, server, offset: request?.offset ?? 0, isWrite: false, &tools)
    case .prepareWriteResponse:
      value(
        &octets,
        start + 5,
        Self.word(octets, start + 1),
        server,
        offset: Int(Self.word(octets, start + 3)),
        isWrite: true,
        &tools
      )
    case .readByTypeResponse: list(&octets, start, request?.type, server, &tools)
    case .readMultipleResponse:
      let isHarmless = request?.handles.allSatisfy { nature($0, server) == .kept } ?? false
      if !isHarmless { tools.scramble(&octets, (start + 1)..<max(start + 1, octets.count)) }
    case .readMultipleVariableResponse:
      var at = start + 1
      var handles = (request?.handles ?? [])[...]
      while at + 2 <= octets.count {
        let end = min(octets.count, at + 2 + Int(Self.word(octets, at)))
        let handle = handles.popFirst()
        tools.redact(
          value: &octets,
          (at + 2)..<end,
          handle.map { nature($0, server) } ?? .opaque,
          isWrite: false
        )
        at = end
      }
    default: return
    }
  }

  /// Handles and values of one length; a type that was asked for tells what they are, else each handle does.
  private func list(
    _ octets: inout [UInt8],
    _ start: Int,
    _ type: BluetoothUUID?,
    _ server: Side,
    _ tools: inout RedactionTools
  ) {
    guard start + 1 < octets.count else { return }
    let stride = Int(octets[start + 1])
    guard stride >= 2 else { return }
    let asked = type.map { ValueNature(type: $0) }
    var at = start + 2
    while at + 2 <= octets.count {
      let end = min(octets.count, at + stride)
      let known = natures[SurveyedLink.key(Self.word(octets, at), server)]
      tools.redact(value: &octets, (at + 2)..<max(at + 2, end), asked ?? known ?? .opaque, isWrite: false)
      at = end
    }
  }
}
