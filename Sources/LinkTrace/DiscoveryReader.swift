import BluetoothWire

/// Reads the answers of the discovery procedures into a database (Core Vol 3 Part G 4.4–4.7).
enum DiscoveryReader {
  static let primaryService = BluetoothUUID(0x2800)
  static let secondaryService = BluetoothUUID(0x2801)
  static let include = BluetoothUUID(0x2802)
  static let characteristic = BluetoothUUID(0x2803)
  static let databaseHash = BluetoothUUID(0x2B2A)

  /// Takes one answered discovery request.
  ///
  /// - Parameters:
  ///   - request: its parameters after the starting handle (end handle, type, value).
  ///   - first: its starting handle.
  ///   - answer: the response's parameters after the op code; for an Error Response the four octets that follow it.
  static func read(
    _ opcode: ATTOpcode,
    first: UInt16,
    request: RawSpan,
    answer: RawSpan,
    answeredBy response: ATTOpcode,
    into database: inout AttributeDatabase
  ) {
    guard request.byteCount >= 2 else { return }
    let last = request.u16(at: 0)
    switch opcode {
    case .readByGroupTypeRequest:
      guard let type = BluetoothUUID(request, at: 2, count: request.byteCount - 2) else { return }
      if response == .errorResponse {
        markEnd(answer, type.short ?? 0, first, last, &database)
      } else {
        services(type, answer, &database)
      }
    case .findByTypeValueRequest:
      guard request.byteCount >= 4, response != .errorResponse,
        request.u16(at: 2) == 0x2800 || request.u16(at: 2) == 0x2801,
        let service = BluetoothUUID(request, at: 4, count: request.byteCount - 4)
      else { return }
      serviceRanges(service, isPrimary: request.u16(at: 2) == 0x2800, answer, &database)
    case .readByTypeRequest:
      guard let type = BluetoothUUID(request, at: 2, count: request.byteCount - 2) else { return }
      if response == .errorResponse {
        if type == characteristic { markEnd(answer, 0x2803, first, last, &database) }
      } else {
        typed(type, answer, &database)
      }
    case .findInformationRequest:
      if response == .errorResponse {
        markEnd(answer, 0, first, last, &database)
      } else {
        information(answer, first: first, last: last, &database)
      }
    default: return
    }
  }

  /// Attribute Not Found is the regular end of a discovery.
  private static func markEnd(
    _ error: RawSpan,
    _ what: UInt16,
    _ first: UInt16,
    _ last: UInt16,
    _ database: inout AttributeDatabase
  ) {
    guard error.byteCount >= 4, error.u8(at: 3) == 0x0A else { return }
    database.markExplored(what, first: first, last: last)
  }

  private static func services(_ type: BluetoothUUID, _ answer: RawSpan, _ database: inout AttributeDatabase) {
    guard answer.byteCount >= 1 else { return }
    let stride = Int(answer.u8(at: 0))
    guard stride == 6 || stride == 20 else { return }
    var at = 1
    while at + stride <= answer.byteCount {
      if let uuid = BluetoothUUID(answer, at: at + 4, count: stride - 4) {
        database.insert(
          Attribute(
            handle: answer.u16(at: at),
            kind: type == secondaryService ? .secondaryService : .primaryService,
            type: uuid,
            groupEnd: answer.u16(at: at + 2),
            provenance: .discovered
          )
        )
      }
      at += stride
    }
  }

  private static func serviceRanges(
    _ service: BluetoothUUID,
    isPrimary: Bool,
    _ answer: RawSpan,
    _ database: inout AttributeDatabase
  ) {
    var at = 0
    while at + 4 <= answer.byteCount {
      database.insert(
        Attribute(
          handle: answer.u16(at: at),
          kind: isPrimary ? .primaryService : .secondaryService,
          type: service,
          groupEnd: answer.u16(at: at + 2),
          provenance: .discovered
        )
      )
      at += 4
    }
  }

  private static func typed(_ type: BluetoothUUID, _ answer: RawSpan, _ database: inout AttributeDatabase) {
    guard answer.byteCount >= 1 else { return }
    let stride = Int(answer.u8(at: 0))
    guard stride >= 2 else { return }
    var at = 1
    while at + stride <= answer.byteCount {
      let handle = answer.u16(at: at)
      if type == characteristic {
        declaration(handle, answer, at + 2, stride - 2, &database)
      } else if type == include {
        if stride >= 8, let uuid = BluetoothUUID(answer, at: at + 6, count: 2) {
          database.insert(
            Attribute(
              handle: handle,
              kind: .include,
              type: uuid,
              groupEnd: answer.u16(at: at + 4),
              provenance: .discovered
            )
          )
        }
      } else if type != primaryService && type != secondaryService {
        if type == databaseHash && stride == 18 {
          database.replaceHash(UInt128(answer.u64(at: at + 10)) << 64 | UInt128(answer.u64(at: at + 2)))
        }
        let isDescriptor = type.short.map { $0 >= 0x2900 && $0 < 0x2A00 } ?? false
        database.insert(
          Attribute(handle: handle, kind: isDescriptor ? .descriptor : .value, type: type, provenance: .discovered)
        )
      }
      at += stride
    }
  }

  private static func declaration(
    _ handle: UInt16,
    _ answer: RawSpan,
    _ at: Int,
    _ count: Int,
    _ database: inout AttributeDatabase
  ) {
    guard count >= 5, let uuid = BluetoothUUID(answer, at: at + 3, count: count - 3) else { return }
    let properties = answer.u8(at: at)
    let value = answer.u16(at: at + 1)
    database.insert(
      Attribute(
        handle: handle,
        kind: .characteristic,
        type: uuid,
        properties: properties,
        groupEnd: value,
        provenance: .discovered
      )
    )
    database.insert(
      Attribute(handle: value, kind: .value, type: uuid, properties: properties, provenance: .discovered)
    )
  }

  private static func information(
    _ answer: RawSpan,
    first: UInt16,
    last: UInt16,
    _ database: inout AttributeDatabase
  ) {
    guard answer.byteCount >= 1 else { return }
    let width = answer.u8(at: 0) == 1 ? 2 : 16
    var at = 1
    var reached: UInt16 = 0
    while at + 2 + width <= answer.byteCount {
      let handle = answer.u16(at: at)
      reached = handle
      if let uuid = BluetoothUUID(answer, at: at + 2, count: width),
        uuid.short.map({ $0 < 0x2800 || $0 > 0x2803 }) ?? true
      {
        let known = database[handle]
        if known == nil || known?.type != uuid {
          let isDescriptor = uuid.short.map { $0 >= 0x2900 && $0 < 0x2A00 } ?? false
          database.insert(
            Attribute(handle: handle, kind: isDescriptor ? .descriptor : .value, type: uuid, provenance: .discovered)
          )
        }
      }
      at += 2 + width
    }
    if reached >= last { database.markExplored(0, first: first, last: last) }
  }
}
