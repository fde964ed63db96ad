import BluetoothWire
import HealthProfiles
import Testing

struct GlucoseMeasurementTests {
  static let worked = bytes("1B 05 00 EA 07 03 04 05 06 07 C4 FF 7B B0 21 01 00")

  @Test func workedExample() throws {
    let value = try GlucoseMeasurement(decoding: Self.worked.span.bytes)
    #expect(value.flags == 0x1B)
    #expect(value.sequenceNumber == 5)
    #expect("\(value.baseTime)" == "2026-03-04 05:06:07")
    #expect(value.timeOffset == -60)
    #expect(value.userFacingTime()?.description == "2026-03-04 04:06:07")
    #expect(value.concentration?.description == "123 mg/dL")
    #expect(value.concentration?.text(in: .millimolesPerLitre) == "6.8")
    #expect(value.type?.name == "capillary whole blood")
    #expect(value.location?.name == "alternate site")
    #expect(value.annunciation == .batteryLow)
    #expect(value.annunciation?.names == ["battery low"])
    #expect(value.contextFollows)
    #expect(value.trailing.isEmpty)
    #expect(value.octets == Self.worked)
    #expect(looksLikeMeasurement(Self.worked))
  }

  /// Values of real meters, published in bug reports.
  @Test(arguments: [
    (
      "070200e3070815071b19b40050c0f1", 2 as UInt16, "2019-08-21 07:27:25", 180 as Int16, "8.0 mmol/L", "144"
    ),
    ("030600e407040d10260a000078b0f1", 6, "2020-04-13 16:38:10", 0, "120 mg/dL", "120"),
    ("070100E307081506 1F0DB4003BC0F1", 1, "2019-08-21 06:31:13", 180, "5.9 mmol/L", "106"),
  ])
  func realMeters(
    _ text: String,
    sequenceNumber: UInt16,
    time: String,
    offset: Int16,
    concentration: String,
    milligrams: String
  ) throws {
    let octets = bytes(text)
    let value = try GlucoseMeasurement(decoding: octets.span.bytes)
    #expect(value.sequenceNumber == sequenceNumber)
    #expect("\(value.baseTime)" == time)
    #expect(value.timeOffset == offset)
    #expect(value.concentration?.description == concentration)
    #expect(value.concentration?.text(in: .milligramsPerDecilitre) == milligrams)
    #expect(value.type == .capillaryWholeBlood)
    #expect(value.location == .notAvailable)
    #expect(value.octets == octets)
    #expect(looksLikeMeasurement(octets))
  }

  @Test func theShortestHasThreeFields() throws {
    let value = try GlucoseMeasurement(decoding: bytes("00 FFFF EA07 03 04 05 06 07").span.bytes)
    #expect(value.sequenceNumber == 0xFFFF)
    #expect(value.timeOffset == nil && value.sample == nil && value.annunciation == nil)
    #expect(value.userFacingTime(offsetInForce: 60)?.description == "2026-03-04 06:06:07")
  }

  @Test func lengthFollowsTheFlags() {
    #expect(GlucoseMeasurement.expectedLength(flags: 0x00) == 10)
    #expect(GlucoseMeasurement.expectedLength(flags: 0x01) == 12)
    #expect(GlucoseMeasurement.expectedLength(flags: 0x02) == 13)
    #expect(GlucoseMeasurement.expectedLength(flags: 0x08) == 12)
    #expect(GlucoseMeasurement.expectedLength(flags: 0xF4) == 10)
    #expect(GlucoseMeasurement.expectedLength(flags: 0x1B) == 17)
  }

  @Test func nibblesAndReservedValuesSurvive() throws {
    var octets = Self.worked
    octets[0] = 0xFB
    octets[14] = 0x5B
    octets[15] = 0x01
    octets[16] = 0x90
    octets += [0xAA, 0xBB]
    let value = try GlucoseMeasurement(decoding: octets.span.bytes)
    #expect(value.type?.name == "reserved value 11")
    #expect(value.location?.name == "reserved value 5")
    #expect(value.location?.isReserved == true)
    #expect(value.reservedFlags == 0xE0)
    #expect(value.annunciation?.names == ["battery low", "reserved bit 12", "reserved bit 15"])
    #expect(value.annunciation?.isDisjoint(with: .reserved) == false)
    #expect(value.trailing == [0xAA, 0xBB])
    #expect(value.octets == octets)
    #expect(!looksLikeMeasurement(octets))
  }

  @Test func anUnavailableResultIsNaN() {
    let missing = GlucoseConcentration(.notANumber, unit: .molesPerLitre)
    #expect(missing.description == "NaN mmol/L")
    #expect(missing.text(in: .milligramsPerDecilitre) == "NaN")
  }

  @Test(arguments: [
    (0xC037 as UInt16, GlucoseUnit.molesPerLitre, "99", "5.5"),
    // 550 mmol/L: a sample that mistook the unit; shown as sent.
    (0xD226, .molesPerLitre, "9911", "550"),
    (0xB064, .kilogramsPerLitre, "100", "5.5"), (0xB05A, .kilogramsPerLitre, "90", "5.0"),
    (0x77FD, .kilogramsPerLitre, "2045000000000000", "113485016648168.7"),
    (0x8001, .kilogramsPerLitre, "0.001", "0.0"), (0xB000, .kilogramsPerLitre, "0", "0.0"),
  ])
  func bothUnits(_ word: UInt16, unit: GlucoseUnit, milligrams: String, millimoles: String) {
    let concentration = GlucoseConcentration(MedicalFloat16(word: word), unit: unit)
    #expect(concentration.text(in: .milligramsPerDecilitre) == milligrams)
    #expect(concentration.text(in: .millimolesPerLitre) == millimoles)
  }

  @Test func missingFieldsFail() {
    for count in 0..<17 {
      let clipped = Array(Self.worked.prefix(count))
      let error = #expect(throws: WireError.self) { try GlucoseMeasurement(decoding: clipped.span.bytes) }
      #expect(error?.available == count)
      #expect(error?.needed == (count == 0 ? 10 : 17))
    }
  }

  @Test func aPrefixGoesAsFarAsTheOctets() throws {
    typealias Prefix = GlucoseMeasurement.Prefix
    #expect(Prefix(decoding: bytes("").span.bytes).missing == 10)
    let three = Prefix(decoding: Array(Self.worked.prefix(3)).span.bytes)
    #expect(three.flags == 0x1B && three.sequenceNumber == 5 && three.baseTime == nil && three.missing == 14)
    let fourteen = Prefix(decoding: Array(Self.worked.prefix(14)).span.bytes)
    #expect(fourteen.timeOffset == -60 && fourteen.concentration?.description == "123 mg/dL")
    #expect(fourteen.type == nil && fourteen.annunciation == nil && fourteen.missing == 3)
    let whole = Prefix(decoding: Self.worked.span.bytes)
    let value = try GlucoseMeasurement(decoding: Self.worked.span.bytes)
    #expect(whole.missing == 0 && whole.annunciation == .batteryLow && whole.type == value.type)
    #expect(whole.location == value.location && whole.baseTime == value.baseTime)
  }

  @Test(arguments: [
    "EA07 02 1D 00 00 00", "EA07 00 01 00 00 00", "CF07 01 01 00 00 00", "3408 01 01 00 00 00",
    "EA07 0D 01 00 00 00", "EA07 01 01 18 00 00", "EA07 01 01 00 3C 00", "EA07 01 01 00 00 3C",
  ])
  func noMeasurementHasSuchATime(_ time: String) {
    #expect(!looksLikeMeasurement(bytes("00 0100" + time)))
    #expect(looksLikeMeasurement(bytes("00 0100 EA07 02 1C 17 3B 3B")))
  }

  @Test func featureSaysWhichBitsMayBeSet() throws {
    #expect(try GlucoseFeature(decoding: bytes("FF07").span.bytes).permittedAnnunciation.rawValue == 0x0FFF)
    #expect(GlucoseFeature.resultHighLowDetection.permittedAnnunciation == [.resultTooHigh, .resultTooLow])
    #expect(
      GlucoseFeature.temperatureHighLowDetection.permittedAnnunciation == [.temperatureTooHigh, .temperatureTooLow]
    )
    #expect(GlucoseFeature.readInterruptDetection.permittedAnnunciation == .readInterrupted)
    #expect(GlucoseFeature.generalDeviceFault.permittedAnnunciation == .generalDeviceFault)
    #expect(GlucoseFeature.timeFault.permittedAnnunciation == .timeFault)
    #expect(GlucoseFeature.stripTypeErrorDetection.permittedAnnunciation == .stripTypeIncorrect)
    #expect(GlucoseFeature.multipleBond.permittedAnnunciation == [])
    #expect(GlucoseFeature(rawValue: 0x8401).names == ["low battery detection", "multiple bond", "reserved bit 15"])
    #expect(GlucoseFeature(rawValue: 0x8401).octets == [0x01, 0x84])
    #expect(throws: WireError.self) { try GlucoseFeature(decoding: bytes("01").span.bytes) }
  }
}
