import BluetoothWire
import HealthProfiles
import Testing

struct RecordAccessRequestTests {
  @Test(arguments: [
    ("01 01", "report all"), ("01 05", "report first"), ("01 06", "report last"), ("04 01", "count all"),
    ("04 03 01 04 00", "count ≥ 4"), ("01 03 01 1F 00", "report ≥ 31"), ("01 02 01 FFFF", "report ≤ 65535"),
    ("02 04 01 05 00 09 00", "delete 5–9"), ("01 04 01 05 00 05 00", "report 5–5"), ("03 00", "abort"),
    ("02 01", "delete all"),
    ("01 03 02 EA 07 03 04 05 00 00", "report ≥ 2026-03-04 05:00:00 (user-facing time)"),
    (
      "01 04 02 EA 07 03 04 05 00 00 EA 07 03 05 05 00 00",
      "report 2026-03-04 05:00:00–2026-03-05 05:00:00 (user-facing time)"
    ),
    ("07 01", "combined report all"),
  ])
  func wellFormed(_ text: String, summary: String) {
    let request = RecordAccessRequest(decoding: bytes(text).span.bytes)
    #expect(request.isWellFormed)
    #expect(request.summary == summary)
    #expect(request.octets == bytes(text))
    #expect(looksLikeRequest(bytes(text)) == (request.opCode != .combinedReport))
    if let selection = request.selection {
      #expect(RecordAccessRequest(request.opCode, selection) == request)
    } else {
      #expect(RecordAccessRequest.abort() == request)
    }
  }

  @Test(arguments: [
    ("04 01 00", "malformed: 04 01 00 (operand with all records)", RecordAccessResponseValue.invalidOperand),
    ("01 00", "malformed: 01 00 (null operator with report)", .invalidOperator),
    ("01 07", "malformed: 01 07 (reserved operator 07)", .operatorNotSupported),
    ("03 01", "malformed: 03 01 (all records operator with abort)", .invalidOperator),
    ("03 00 00", "malformed: 03 00 00 (operand with abort)", .invalidOperand),
    ("03 09", "malformed: 03 09 (reserved operator 09)", .operatorNotSupported),
    ("01 04 01 FF FF 00 00", "malformed: 01 04 01 FF FF 00 00 (minimum above maximum)", .invalidOperand),
    ("01 03 03 00 00", "malformed: 01 03 03 00 00 (reserved filter 03)", .operandNotSupported),
    ("01 03 01 00", "malformed: 01 03 01 00 (operand of 2 octets, 3 expected)", .invalidOperand),
    ("01 03", "malformed: 01 03 (operand of 0 octets, 3 expected)", .invalidOperand),
    ("01 03 02 00", "malformed: 01 03 02 00 (operand of 2 octets, 8 expected)", .invalidOperand),
    ("00 01", "malformed: 00 01 (reserved op code 00)", .opCodeNotSupported),
    ("09 01", "malformed: 09 01 (reserved op code 09)", .opCodeNotSupported),
    ("06 00 01 01", "malformed: 06 00 01 01 (op code of a response)", .opCodeNotSupported),
    // Text instead of octets, as an application once wrote it.
    ("30 34 30 31", "malformed: 30 34 30 31 (reserved op code 30)", .opCodeNotSupported),
  ])
  func malformed(_ text: String, summary: String, response: RecordAccessResponseValue) {
    let request = RecordAccessRequest(decoding: bytes(text).span.bytes)
    #expect(!request.isWellFormed)
    #expect(request.summary == summary)
    #expect(request.defect?.expectedResponse == response)
    #expect(request.octets == bytes(text))
    #expect(request.matches(sequenceNumber: 0) == nil)
    #expect(!looksLikeRequest(bytes(text)))
  }

  @Test func tooShort() {
    #expect(RecordAccessRequest(octets: []).summary == "malformed: (empty)")
    #expect(RecordAccessRequest(octets: [0x01]).summary == "malformed: 01 (no operator)")
    #expect(RecordAccessRequest(octets: [0x01]).opCode == .report)
    #expect(!looksLikeRequest(bytes("01")))
  }

  @Test func matching() {
    let range = RecordAccessRequest(.report, .within(5, 9))
    #expect(range.matches(sequenceNumber: 4) == false)
    #expect(range.matches(sequenceNumber: 5) == true)
    #expect(range.matches(sequenceNumber: 9) == true)
    #expect(range.matches(sequenceNumber: 10) == false)
    #expect(RecordAccessRequest(.report, .atMost(9)).matches(sequenceNumber: 10) == false)
    #expect(RecordAccessRequest(.report, .atLeast(9)).matches(sequenceNumber: 65_535) == true)
    #expect(RecordAccessRequest(.report, .all).matches(sequenceNumber: 1) == true)
    #expect(RecordAccessRequest(.report, .last).matches(sequenceNumber: 1) == nil)
    #expect(RecordAccessRequest.abort().matches(sequenceNumber: 1) == nil)
    let morning = DateTime(year: 2026, month: 3, day: 4, hours: 5)
    let since = RecordAccessRequest(.report, .since(morning))
    #expect(since.matches(sequenceNumber: 1) == nil)
    #expect(since.matches(userFacingTime: morning) == true)
    #expect(since.matches(userFacingTime: DateTime(year: 2026, month: 3, day: 4)) == false)
    #expect(since.selection?.minimumTime == morning)
    #expect(range.selection?.minimum == 5 && range.selection?.maximum == 9)
  }

  @Test(arguments: [
    ("33 66 0F", "report first"), ("33 69 0F", "report last"), ("33 33", "report all"),
    ("33 5A 0F 0DCF0000 34CF0000", "report 53005–53044"), ("33 5A 0F 0DCF0000 34CF0000 01 ABCD", "report 53005–53044"),
    ("55 0F", "abort"), ("55 0F 07 1234", "abort"), ("33 33 02 1234", "report all"), ("3C 33 0F", "delete all"),
    ("5A 55 0F 00000100", "count ≥ 65536"), ("33 33 33", "report all (reference time events)"),
    ("33 66 0F 01 ABCD", "report first"),
  ])
  func insulinDelivery(_ text: String, summary: String) {
    let request = RecordAccessRequest(decoding: bytes(text).span.bytes, dialect: .insulinDelivery)
    #expect(request.isWellFormed)
    #expect(request.summary == summary)
    #expect(looksLikeRequest(bytes(text), .insulinDelivery))
    #expect(!looksLikeRequest(bytes(text)))
  }

  @Test func insulinDeliveryMalformed() {
    for text in ["01 01", "33 0F", "33 5A 0F 34CF0000 0DCF0000", "33 55 0F 0000", "33 66 01", "55 33", "0F 0F 33 F0"] {
      #expect(!RecordAccessRequest(octets: bytes(text), dialect: .insulinDelivery).isWellFormed)
      #expect(!looksLikeRequest(bytes(text), .insulinDelivery))
    }
    let range = RecordAccessRequest(.report, .within(53_005, 53_044), dialect: .insulinDelivery)
    #expect(range.octets == bytes("33 5A 0F 0DCF0000 34CF0000"))
    #expect(range.matches(sequenceNumber: 53_044) == true)
    let reference = RecordAccessRequest(octets: bytes("33 55 33 05000000"), dialect: .insulinDelivery)
    #expect(reference.matches(sequenceNumber: 4) == false)
    #expect(reference.matches(sequenceNumber: 5) == nil)
  }
}
