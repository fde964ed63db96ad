import BluetoothWire
import HealthProfiles
import Testing

struct RecordAccessResponseTests {
  @Test(arguments: [
    ("06 00 01 01", "report: success"), ("06 00 03 01", "abort: success"), ("05 00 01 00", "1 record"),
    ("05 00 00 00", "0 records"), ("05 00 02 01", "258 records"), ("06 00 01 06", "report: no records found"),
    ("06 00 02 08", "delete: procedure not completed"), ("06 00 02 09", "delete: operand not supported"),
    ("06 00 01 03", "report: invalid operator"), ("06 00 01 05", "report: invalid operand"),
    ("06 00 04 04", "count: operator not supported"), ("06 00 03 07", "abort: abort unsuccessful"),
    ("06 00 01 0A", "report: server busy"),
  ])
  func wellFormed(_ text: String, summary: String) {
    let response = RecordAccessResponse(decoding: bytes(text).span.bytes)
    #expect(response.isWellFormed)
    #expect(response.summary == summary)
    #expect(looksLikeResponse(bytes(text)))
    switch response.content {
    case .count(let count): #expect(RecordAccessResponse(count: count) == response)
    case .outcome(let request, let value): #expect(RecordAccessResponse(to: request, value) == response)
    case nil: Issue.record("no content")
    }
  }

  @Test func reservedValuesSurvive() {
    let response = RecordAccessResponse(octets: bytes("06 00 0C 02"))
    #expect(response.summary == "op code 0C: op code not supported")
    #expect(response.isWellFormed)
    #expect(RecordAccessResponse(octets: bytes("06 00 01 0B")).summary == "report: reserved value 0B")
  }

  @Test(arguments: [
    ("05 00 01", "malformed: 05 00 01 (3 octets, 4 expected)", nil as RecordAccessResponse.Content?),
    ("05 00 03 02 01", "malformed: 05 00 03 02 01 (5 octets, 4 expected)", .count(515)),
    ("06 01 01", "malformed: 06 01 01 (3 octets, 4 expected)", nil),
    ("06 01 01 01", "malformed: 06 01 01 01 (operator 01 in a response)", .outcome(request: .report, value: .success)),
    // A delete acknowledged by its own op code, as a published sample does.
    ("02 01", "malformed: 02 01 (op code of a request: delete)", nil),
    ("", "malformed: (0 octets, 4 expected)", nil),
    ("77", "malformed: 77 (reserved op code 77)", nil),
  ])
  func malformed(_ text: String, summary: String, content: RecordAccessResponse.Content?) {
    let response = RecordAccessResponse(decoding: bytes(text).span.bytes)
    #expect(response.summary == summary)
    #expect(response.content == content)
    #expect(!looksLikeResponse(bytes(text)))
  }

  @Test(arguments: [
    ("0F 0F 33 F0", "report: success"), ("0F 0F 33 F0 01 ABCD", "report: success"), ("66 0F 28000000", "40 records"),
    ("66 0F 00000100 02 1234", "65536 records"), ("0F 0F 3C 06", "delete: no records found"),
    ("0F 0F 55 0A", "abort: not applicable"),
  ])
  func insulinDelivery(_ text: String, summary: String) {
    let response = RecordAccessResponse(decoding: bytes(text).span.bytes, dialect: .insulinDelivery)
    #expect(response.isWellFormed)
    #expect(response.summary == summary)
    #expect(looksLikeResponse(bytes(text), .insulinDelivery))
    #expect(!looksLikeResponse(bytes(text)))
  }

  @Test func successOfTheOtherDialectIsReserved() {
    let response = RecordAccessResponse(octets: bytes("0F 0F 33 01"), dialect: .insulinDelivery)
    #expect(response.content == .outcome(request: .report, value: .unknown(0x01)))
    #expect(!looksLikeResponse(bytes("0F 0F 33 01"), .insulinDelivery))
    #expect(RecordAccessResponse(count: 3, dialect: .insulinDelivery).octets == bytes("66 0F 03000000"))
    #expect(RecordAccessResponse(to: .report, .success, dialect: .insulinDelivery).octets == bytes("0F 0F 33 F0"))
  }

  @Test(arguments: [RecordAccessDialect.health, .insulinDelivery])
  func everyCodeComesBack(_ dialect: RecordAccessDialect) {
    for octet in UInt8.min...UInt8.max {
      #expect(RecordAccessOpCode(octet, dialect: dialect).octet(in: dialect) == octet)
      #expect(RecordAccessOperator(octet, dialect: dialect).octet(in: dialect) == octet)
      #expect(RecordAccessFilter(octet, dialect: dialect).octet(in: dialect) == octet)
      #expect(RecordAccessResponseValue(octet, dialect: dialect).octet(in: dialect) == octet)
    }
  }
}
