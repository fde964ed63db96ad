import BluetoothWire
import Testing

@testable import LinkTrace

/// The attribute database and the answers it is read from (Core Vol 3 Part G 4.4 to 4.7).
@Suite struct AttributeDatabaseTests {
  /// A glucose service as discovery gives it.
  private func glucose(_ provenance: Provenance = .discovered) -> AttributeDatabase {
    var database = AttributeDatabase()
    let entries: [(UInt16, Attribute.Kind, UInt16, UInt16)] = [
      (0x0010, .primaryService, 0x1808, 0x001F), (0x0011, .characteristic, 0x2A18, 0x0012),
      (0x0012, .value, 0x2A18, 0), (0x0013, .descriptor, 0x2902, 0), (0x0014, .characteristic, 0x2A52, 0x0015),
      (0x0015, .value, 0x2A52, 0), (0x0016, .descriptor, 0x2901, 0), (0x0017, .descriptor, 0x2902, 0),
      (0x0020, .primaryService, 0x180A, 0x0024),
    ]
    for (handle, kind, type, end) in entries.reversed() {
      database.insert(
        Attribute(handle: handle, kind: kind, type: BluetoothUUID(type), groupEnd: end, provenance: provenance)
      )
    }
    return database
  }

  @Test func `attributes stand in the order of their handles`() {
    let database = glucose()
    #expect(database.attributes.map(\.handle) == database.attributes.map(\.handle).sorted())
    #expect(database.attributes.count == 9)
    #expect(database[0x0012]?.type.short == 0x2A18)
    #expect(database[0x0019] == nil)
  }

  @Test func `services, characteristics and subscriptions are found`() {
    let database = glucose()
    #expect(database.service(of: 0x0010)?.type.short == 0x1808)
    #expect(database.service(of: 0x001F)?.type.short == 0x1808)
    #expect(database.service(of: 0x0022)?.type.short == 0x180A)
    #expect(database.service(of: 0x0030) == nil)
    #expect(database.service(of: 0x0001) == nil)
    #expect(database.characteristic(ofDescriptor: 0x0017)?.handle == 0x0015)
    #expect(database.characteristic(ofDescriptor: 0x0011) == nil)
    #expect(database.subscriptionHandle(ofValue: 0x0015) == 0x0017)
    #expect(database.subscriptionHandle(ofValue: 0x0012) == 0x0013)
    #expect(database.subscriptionHandle(ofValue: 0x0099) == nil)
    #expect(database.value(0x2A52)?.handle == 0x0015)
    #expect(database.value(0x2A34) == nil)
  }

  @Test func `a lesser provenance does not replace a better one`() {
    var database = glucose(.remembered)
    let other = BluetoothUUID(0x2A37)
    database.insert(Attribute(handle: 0x0012, kind: .value, type: other, provenance: .inferred))
    #expect(database[0x0012]?.type.short == 0x2A18)
    database.insert(Attribute(handle: 0x0012, kind: .value, type: other, provenance: .discovered))
    #expect(database[0x0012]?.type == other)
  }

  @Test func `what is merged is remembered, never discovered`() {
    var database = AttributeDatabase()
    database.insert(
      Attribute(handle: 0x0012, kind: .value, type: BluetoothUUID(0x2A37), provenance: .supplied)
    )
    database.merge(glucose(), as: .remembered)
    #expect(database[0x0012]?.type.short == 0x2A37)
    #expect(database[0x0015]?.provenance == .remembered)
    #expect(database.attributes.count == 9)
  }

  @Test func `a range is forgotten with what was known of it`() {
    var database = glucose()
    database.markExplored(0x2803, first: 0x0010, last: 0x001F)
    database.markExplored(0x2800, first: 0x0020, last: 0x0024)
    database.hash = 1
    database.forget(0x0010...0x001F)
    #expect(database.attributes.map(\.handle) == [0x0020])
    #expect(database.explored.map(\.first) == [0x0020])
    #expect(database.hash == nil)
  }

  @Test func `the number of attributes is bounded`() {
    var database = AttributeDatabase()
    for handle in (0...UInt16.max).reversed() {
      database.insert(
        Attribute(handle: handle, kind: .descriptor, type: BluetoothUUID(0x2901), provenance: .discovered)
      )
    }
    #expect(database.attributes.count == AttributeDatabase.limit)
  }

  // MARK: Answers

  private func read(_ opcode: ATTOpcode, _ request: [UInt8], _ answer: [UInt8], _ response: ATTOpcode)
    -> AttributeDatabase
  {
    var database = AttributeDatabase()
    DiscoveryReader.read(
      opcode,
      first: 0x0001,
      request: request.span.bytes,
      answer: answer.span.bytes,
      answeredBy: response,
      into: &database
    )
    return database
  }

  private let all: [UInt8] = [0xFF, 0xFF]

  @Test func `well-formed answers name what they list`() {
    let services = read(
      .readByGroupTypeRequest,
      all + [0x00, 0x28],
      [6, 1, 0, 9, 0, 0x00, 0x18, 10, 0, 0xFF, 0xFF, 0x08, 0x18],
      .readByGroupTypeResponse
    )
    #expect(services.attributes.map(\.type.short) == [0x1800, 0x1808])
    #expect(services.attributes.map(\.groupEnd) == [9, 0xFFFF])
    let values = read(
      .readByTypeRequest,
      all + [0x03, 0x28],
      [7, 2, 0, 0x10, 3, 0, 0x18, 0x2A, 5, 0, 0x28, 6, 0, 0x52, 0x2A],
      .readByTypeResponse
    )
    #expect(values.attributes.map(\.handle) == [2, 3, 5, 6])
    #expect(values[6]?.properties == 0x28)
    let descriptors = read(
      .findInformationRequest,
      all,
      [1, 4, 0, 0x02, 0x29, 7, 0, 0x01, 0x29],
      .findInformationResponse
    )
    #expect(descriptors.attributes.map(\.type.short) == [0x2902, 0x2901])
    let one = read(
      .findByTypeValueRequest,
      all + [0x00, 0x28, 0x08, 0x18],
      [10, 0, 20, 0],
      .findByTypeValueResponse
    )
    #expect(one[10]?.type.short == 0x1808)
    #expect(one[10]?.groupEnd == 20)
  }

  @Test func `Attribute Not Found ends a discovery, another error does not`() {
    let end = read(.readByTypeRequest, all + [0x03, 0x28], [0x08, 1, 0, 0x0A], .errorResponse)
    #expect(end.explored == [AttributeDatabase.ExploredRange(what: 0x2803, first: 1, last: 0xFFFF)])
    let refused = read(.readByTypeRequest, all + [0x03, 0x28], [0x08, 1, 0, 0x05], .errorResponse)
    #expect(refused.explored.isEmpty)
  }

  @Test func `malformed answers give what is whole and never trap`() {
    var random = RandomNumbers(seed: 3)
    let opcodes: [(ATTOpcode, ATTOpcode)] = [
      (.readByGroupTypeRequest, .readByGroupTypeResponse), (.readByTypeRequest, .readByTypeResponse),
      (.findInformationRequest, .findInformationResponse), (.findByTypeValueRequest, .findByTypeValueResponse),
      (.readByTypeRequest, .errorResponse),
    ]
    let types: [[UInt8]] = [
      [], [0x00, 0x28], [0x01, 0x28], [0x02, 0x28], [0x03, 0x28], [0x2A, 0x2B], [0x00, 0x28, 0x08],
      [UInt8](repeating: 9, count: 16),
    ]
    for (request, response) in opcodes {
      for type in types {
        for length in 0..<24 {
          var answer = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
          for stride in [0, 1, 2, 3, 6, 7, 8, 18, 20, 21, 255] as [UInt8] {
            if length > 0 { answer[0] = stride }
            let database = read(request, all + type, answer, response)
            #expect(database.attributes.count <= length)
          }
        }
      }
    }
    #expect(read(.readByGroupTypeRequest, all + [0x00, 0x28], [5, 1, 0, 9, 0, 0], .readByGroupTypeResponse).isEmpty)
    #expect(read(.readByTypeRequest, [0xFF], [7, 2, 0, 0x10, 3, 0, 0x18, 0x2A], .readByTypeResponse).isEmpty)
  }
}
