import BluetoothWire
import LinkTrace

/// How far the sensor's table was discovered on this link: only where a range was gone through, absence means something.
struct DiscoverySurvey: Sendable {
  /// What was asked for.
  enum Subject: Sendable { case services, servicesOfType, characteristics, descriptors }

  /// One answered request and the handles its answer settles.
  struct Row: Sendable {
    var subject: Subject
    var first: UInt16
    var last: UInt16
    /// Index of the answer.
    var answer: UInt32
  }

  /// In the order of the requests.
  private(set) var rows: [Row] = []

  /// Why nothing can be said of a table that nothing shows.
  static func lacking(_ history: borrowing LinkHistory) -> String {
    let isCut =
      history.counts.clippedPDUs > 0
      && history.pdus.contains {
        $0.isClipped && [0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x10, 0x11].contains($0.opcodeValue)
      }
    return isCut
      ? "the logger cut the packets that discover the services of the sensor"
      : "nothing in the capture discovers the services of the sensor"
  }

  init(_ history: borrowing LinkHistory, _ exchanges: borrowing AttributeExchanges, sensor: Side?) {
    guard let sensor else { return }
    for index in exchanges.discoveries {
      let request = history.pdus[Int(index)]
      guard request.server == sensor, request.partner != AttributePDU.none, request.valueCount >= 2,
        let subject = Self.subject(request, history)
      else { continue }
      let answer = history.pdus[Int(request.partner)]
      if let last = Self.reach(subject, request, answer, history), last >= request.handle {
        rows.append(Row(subject: subject, first: request.handle, last: last, answer: request.partner))
      }
    }
  }

  private static func subject(_ request: AttributePDU, _ history: borrowing LinkHistory) -> Subject? {
    if request.opcodeValue == 0x04 { return .descriptors }
    guard request.valueCount >= 4 else { return nil }
    switch (request.opcodeValue, history.value(request).u16(at: 2)) {
    case (0x10, 0x2800): return request.valueCount == 4 ? .services : nil
    case (0x06, 0x2800): return .servicesOfType
    case (0x08, 0x2803): return request.valueCount == 4 ? .characteristics : nil
    default: return nil
    }
  }

  /// The last handle an answer settles; Attribute Not Found settles all that was asked.
  private static func reach(
    _ subject: Subject,
    _ request: AttributePDU,
    _ answer: AttributePDU,
    _ history: borrowing LinkHistory
  ) -> UInt16? {
    if answer.opcode == .errorResponse {
      return history.errorCode(request.partner) == .attributeNotFound ? history.value(request).u16(at: 0) : nil
    }
    let value = history.value(answer)
    guard value.byteCount > 1, !answer.isClipped else { return nil }
    let stride: Int
    switch subject {
    case .services, .characteristics: stride = Int(value.u8(at: 0))
    case .servicesOfType: stride = 4
    case .descriptors: stride = value.u8(at: 0) == 1 ? 4 : 18
    }
    let head = subject == .servicesOfType ? 0 : 1
    let count = stride >= 4 ? (value.byteCount - head) / stride : 0
    guard count > 0 else { return nil }
    let last = head + (count - 1) * stride
    switch subject {
    case .services, .servicesOfType: return value.u16(at: last + 2)
    case .descriptors: return value.u16(at: last)
    case .characteristics:
      // The value stands right behind its declaration; some collectors go on behind both.
      return value.u16(at: last) == .max ? .max : value.u16(at: last) + 1
    }
  }

  /// True where the answers together settle every handle of a range.
  func covers(_ subject: Subject, _ range: ClosedRange<UInt16>) -> Bool {
    var next = UInt32(range.lowerBound)
    var hasMoved = true
    while hasMoved && next <= range.upperBound {
      hasMoved = false
      for row in rows where row.subject == subject && row.first <= next && row.last >= next {
        next = UInt32(row.last) + 1
        hasMoved = true
      }
    }
    return next > range.upperBound
  }

  /// The last answer about any handle of a range; nil where none is.
  func lastAnswer(_ subject: Subject, about range: ClosedRange<UInt16>) -> UInt32? {
    rows.last { $0.subject == subject && $0.first <= range.upperBound && $0.last >= range.lowerBound }?.answer
  }

  /// The answer with which the discovery of a service's characteristics came to its end; nil where it did not.
  func endOfCharacteristics(of service: Attribute) -> UInt32? {
    guard let members = service.members, covers(.characteristics, members) else { return nil }
    return lastAnswer(.characteristics, about: members)
  }

  /// The first answer about a handle; nil where none is.
  func firstAnswer(_ subject: Subject, about handle: UInt16) -> UInt32? {
    rows.first { $0.subject == subject && $0.first <= handle && $0.last >= handle }?.answer
  }
}

extension AttributeDatabase {
  /// The services of a type that were discovered on this link, in handle order.
  func discoveredServices(_ type: UInt16) -> [Attribute] {
    let wanted = BluetoothUUID(type)
    return attributes.filter { $0.kind.isService && $0.provenance == .discovered && $0.type == wanted }
  }

  /// The declarations within a service's handles.
  func characteristics(of service: Attribute) -> [Attribute] {
    guard service.groupEnd >= service.handle else { return [] }
    let range = service.handle...service.groupEnd
    return attributes.filter { $0.kind == .characteristic && range.contains($0.handle) }
  }
}

extension Attribute {
  /// The handles behind a service's declaration; nil where there is none.
  var members: ClosedRange<UInt16>? { groupEnd > handle ? (handle + 1)...groupEnd : nil }

  /// `0x0019–0x0024`.
  var rangeText: String { "0x\(hex(UInt64(handle), digits: 4))–0x\(hex(UInt64(groupEnd), digits: 4))" }
}
