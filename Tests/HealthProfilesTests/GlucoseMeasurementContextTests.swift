import BluetoothWire
import HealthProfiles
import Testing

struct GlucoseMeasurementContextTests {
  static let worked = bytes("5F 05 00 02 3C D0 01 31 08 07 37 01 0C A0 07 00")

  @Test func workedExample() throws {
    let value = try GlucoseMeasurementContext(decoding: Self.worked.span.bytes)
    #expect(value.flags == 0x5F)
    #expect(value.sequenceNumber == 5)
    #expect(value.carbohydrate?.identifier.name == "lunch")
    #expect(value.carbohydrate?.kilograms.decimalText() == "0.060")
    #expect(value.carbohydrate?.gramsText == "60")
    #expect(value.meal?.name == "before a meal")
    // Tester is the low nibble of 0x31, whatever other decoders print.
    #expect(value.condition?.tester.name == "self")
    #expect(value.condition?.health.name == "during menses")
    #expect(value.exercise == GlucoseMeasurementContext.Exercise(seconds: 1800, intensity: 55))
    #expect(value.medication?.identifier.name == "rapid acting insulin")
    #expect(value.medicationText == "12 mg")
    #expect(value.hemoglobinA1c?.decimalText() == "7")
    #expect(value.octets == Self.worked)
    #expect(value.hasContent)
    #expect(looksLikeContext(Self.worked))
  }

  @Test func litresAndExtendedFlags() throws {
    let octets = bytes("B0 0700 00 05 05D0 99")
    let value = try GlucoseMeasurementContext(decoding: octets.span.bytes)
    #expect(value.extendedFlags == 0)
    #expect(value.medicationUnit == .litres)
    #expect(value.medication?.identifier.name == "pre-mixed insulin")
    #expect(value.medicationText == "5 mL")
    #expect(value.trailing == [0x99])
    #expect(value.octets == octets)
  }

  @Test func lengthFollowsTheFlags() {
    #expect(GlucoseMeasurementContext.expectedLength(flags: 0x00) == 3)
    #expect(GlucoseMeasurementContext.expectedLength(flags: 0xFF) == 17)
    #expect(GlucoseMeasurementContext.expectedLength(flags: 0x20) == 3)
    let parts: [(UInt8, Int)] = [(0x01, 6), (0x02, 4), (0x04, 4), (0x08, 6), (0x10, 6), (0x40, 5), (0x80, 4)]
    for (flag, length) in parts { #expect(GlucoseMeasurementContext.expectedLength(flags: flag) == length) }
  }

  @Test func onlyWhatHasNoReservedValueLooksLikeOne() {
    let looks = { (text: String) in looksLikeContext(bytes(text)) }
    #expect(looks("02 0100 05"))
    #expect(!looks("02 0100 06"))
    #expect(!looks("02 0100 00"))
    #expect(!looks("02 0100 01 00"))
    #expect(!looks("80 0100 00"))
    #expect(looks("82 0100 00 01"))
    #expect(!looks("82 0100 01 01"))
    #expect(looks("04 0100 FF"))
    #expect(!looks("04 0100 F4"))
    #expect(!looks("04 0100 61"))
    #expect(!looks("01 0100 08 0000"))
    #expect(!looks("10 0100 06 0000"))
    #expect(looks("40 0100 0700"))
  }

  @Test func missingFieldsFail() {
    for count in 0..<Self.worked.count {
      let clipped = Array(Self.worked.prefix(count))
      let error = #expect(throws: WireError.self) { try GlucoseMeasurementContext(decoding: clipped.span.bytes) }
      #expect(error?.needed == (count == 0 ? 4 : 16))
    }
  }

  @Test func emptyContextDecodesAndSaysNothing() throws {
    let value = try GlucoseMeasurementContext(decoding: bytes("20 0100").span.bytes)
    #expect(!value.hasContent)
    #expect(value.octets == bytes("20 0100"))
  }
}
