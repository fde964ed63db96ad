import BluetoothWire
import HealthProfiles
import Testing

struct MedicalFloatTests {
  @Test(arguments: [
    (0xB07B as UInt16, 123, -5), (0xC037, 55, -4), (0x0064, 100, 0), (0xF005, 5, -1), (0xD03C, 60, -3),
    (0x0FFF, -1, 0), (0xF7FF, 2047, -1), (0x7001, 1, 7), (0x8001, 1, -8), (0xF800, -2048, -1),
  ])
  func partsOfASFLOAT(_ word: UInt16, mantissa: Int, exponent: Int) {
    let float = MedicalFloat16(word: word)
    #expect(float.mantissa == mantissa)
    #expect(float.exponent == exponent)
    #expect(float.special == nil)
    #expect(MedicalFloat16(mantissa: mantissa, exponent: exponent) == float)
  }

  @Test(arguments: [
    (0x07FF as UInt16, MedicalFloatSpecial.notANumber), (0x0800, .notAtThisResolution), (0x07FE, .positiveInfinity),
    (0x0802, .negativeInfinity), (0x0801, .reserved),
  ])
  func specialWords(_ word: UInt16, meaning: MedicalFloatSpecial) {
    #expect(MedicalFloat16(word: word).special == meaning)
    #expect(MedicalFloat16(word: word).value == nil)
    #expect(MedicalFloat16(word: word).decimalText(scaledBy10ToThe: 5) == meaning.rawValue)
    // The same mantissa with an exponent is an ordinary number.
    #expect(MedicalFloat16(word: word | 0xF000).special == nil)
  }

  @Test func specialWordsAreNoNumbersToEncode() {
    #expect(MedicalFloat16(mantissa: 2047, exponent: 0) == nil)
    #expect(MedicalFloat16(mantissa: -2046, exponent: 0) == nil)
    #expect(MedicalFloat16(mantissa: 2048, exponent: 1) == nil)
    #expect(MedicalFloat16(mantissa: 1, exponent: 8) == nil)
    #expect(MedicalFloat16(mantissa: -2045, exponent: 0)?.mantissa == -2045)
  }

  @Test(arguments: [
    (0xB07B as UInt16, 5, "123"), (0xB07B, 0, "0.00123"), (0xC037, 3, "5.5"), (0xD03C, 0, "0.060"), (0xD03C, 3, "60"),
    (0xF7FF, 0, "204.7"), (0x0FFF, 0, "-1"), (0xFFFF, 0, "-0.1"), (0x2064, 0, "10000"), (0x7000, 0, "0"),
    (0xF000, 0, "0.0"), (0x8001, 0, "0.00000001"),
  ])
  func exactText(_ word: UInt16, scale: Int, text: String) {
    #expect(MedicalFloat16(word: word).decimalText(scaledBy10ToThe: scale) == text)
  }

  @Test func encodingsOfOneValueAreEqualByValue() {
    let words: [(Int, Int)] = [(100, -5), (10, -4), (1, -3)]
    let floats = words.compactMap { MedicalFloat16(mantissa: $0.0, exponent: $0.1) }
    #expect(floats.count == 3)
    #expect(Set(floats).count == 3)
    #expect(Set(floats.compactMap { $0.decimal?.normalized }).count == 1)
  }

  @Test func everyWordComesBack() throws {
    for word in UInt16.min...UInt16.max {
      let float = MedicalFloat16(word: word)
      let again = try MedicalFloat16(decoding: float.octets.span.bytes)
      guard again == float else {
        Issue.record("word \(word)")
        return
      }
      if float.special == nil {
        guard MedicalFloat16(mantissa: float.mantissa, exponent: float.exponent) == float else {
          Issue.record("parts of word \(word)")
          return
        }
      }
    }
    #expect(MedicalFloat16(word: 0x1234).octets == [0x34, 0x12])
  }

  @Test func aFLOAT() throws {
    let float = try MedicalFloat32(decoding: bytes("6E0100FF").span.bytes)
    #expect(float.mantissa == 366)
    #expect(float.exponent == -1)
    #expect(float.decimalText() == "36.6")
    #expect(float.octets == bytes("6E0100FF"))
    #expect(MedicalFloat32(mantissa: 366, exponent: -1) == float)
    #expect(MedicalFloat32(word: 0xFFFF_FFFF).decimalText() == "-0.1")
    #expect(MedicalFloat32(mantissa: 1, exponent: 127)?.decimalText().count == 128)
    #expect(MedicalFloat32(mantissa: 1, exponent: -128)?.decimalText().count == 130)
  }

  @Test(arguments: [
    (0x007F_FFFF as UInt32, MedicalFloatSpecial.notANumber), (0x0080_0000, .notAtThisResolution),
    (0x007F_FFFE, .positiveInfinity), (0x0080_0002, .negativeInfinity), (0x0080_0001, .reserved),
  ])
  func specialWordsOfAFLOAT(_ word: UInt32, meaning: MedicalFloatSpecial) {
    #expect(MedicalFloat32(word: word).special == meaning)
    #expect(MedicalFloat32(word: word | 0x0100_0000).special == nil)
  }

  @Test func roundingIsHalfUp() {
    #expect(ExactDecimal(mantissa: 25, exponent: -1).rounded(toFractionDigits: 0).text() == "3")
    #expect(ExactDecimal(mantissa: 249, exponent: -2).rounded(toFractionDigits: 0).text() == "2")
    #expect(ExactDecimal(mantissa: -25, exponent: -1).rounded(toFractionDigits: 0).text() == "-2")
    #expect(ExactDecimal(mantissa: -26, exponent: -1).rounded(toFractionDigits: 0).text() == "-3")
    #expect(ExactDecimal(mantissa: 5, exponent: -40).rounded(toFractionDigits: 0).text() == "0")
  }
}
