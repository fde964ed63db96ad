import HealthProfiles
import Testing

@testable import Reporting

/// The writers of the row path against the texts the rest of the program has for the same values.
@Suite struct RowTextTests {
  private func text(_ body: (inout RowWriter) -> Void) -> String {
    var octets = [UInt8](repeating: 0, count: RowWriter.fieldLimit)
    var span = octets.mutableSpan
    var row = RowWriter(span.mutableBytes, after: 0)
    body(&row)
    let count = row.count
    return String(decoding: octets[..<count], as: UTF8.self)
  }

  @Test func decimals() {
    var numbers = Array(0...20_000 as ClosedRange<UInt32>) + [.max]
    for power in [100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000] as [UInt32] {
      numbers += [power - 1, power, power + 1]
    }
    for number in numbers {
      #expect(text { $0.decimal(number) } == String(number))
    }
  }

  @Test(arguments: [0, 3, 6])
  func floatsOfEveryWord(scale: Int) {
    for word in UInt16.min...UInt16.max {
      let float = MedicalFloat16(word: word)
      guard !float.isSpecial else {
        #expect(float.special != nil)
        continue
      }
      let written = text { $0.decimal(float, scaledBy10ToThe: scale) }
      if written != float.decimalText(scaledBy10ToThe: scale) {
        Issue.record("0x\(String(word, radix: 16)): \(written)")
      }
    }
    #expect(MedicalFloatSpecial(rawValue: "NaN") == MedicalFloat16(word: 0x07FF).special)
  }

  @Test(arguments: [GlucoseUnit.kilogramsPerLitre, .molesPerLitre])
  func concentrationsOfEveryWord(unit: GlucoseUnit) {
    var digits = 0
    for word in UInt16.min...UInt16.max {
      let value = GlucoseConcentration(MedicalFloat16(word: word), unit: unit)
      guard case .milligrams(let milligrams, let tenths) = ConcentrationDigits(value.float, unit) else { continue }
      digits += 1
      let millimoles = "\(tenths / 10).\(tenths % 10)"
      if String(milligrams) != value.text(in: .milligramsPerDecilitre)
        || millimoles != value.text(in: .millimolesPerLitre)
      {
        Issue.record("0x\(String(word, radix: 16)) in \(unit): \(milligrams), \(millimoles)")
      }
    }
    #expect(digits == 0x7FE)
  }

  @Test func datesOfEveryDay() {
    var time = DateTime(year: 1_999, month: 12, day: 30, hours: 23, minutes: 58, seconds: 59)
    for minutes in stride(from: 0, to: 4_000 * 1_440, by: 1_439) {
      let moved = time.adding(minutes: minutes % 40_000 - 20_000)
      let digits = DateTimeDigits(time)
      #expect(text { digits.write(to: &$0) } == time.isoText)
      let movedDigits = digits.moved(time, minutes: minutes % 40_000 - 20_000)
      #expect(movedDigits.map { digits in text { digits.write(to: &$0) } } == moved?.isoText)
      if let next = time.adding(minutes: 1_441) { time = next }
    }
  }

  @Test func timesOfReception() {
    var clock = ReceptionClock(.utc)
    var reference = TimeText(.utc)
    let times: [Int64] = [
      0, 1, 999, 59_999_999, 60_000_000, -1, -60_000_001, 1_767_598_262_118_345, 1_767_598_262_119_345,
      1_767_598_319_999_999, 253_402_300_799_999_999, 253_402_300_800_000_000, -62_167_219_200_000_001, 5,
    ]
    for time in times {
      clock.move(to: time)
      let current = clock
      #expect(text { current.write(time, to: &$0) } == reference.timestamp(time))
    }
  }

  @Test func namesOfEveryCode() {
    let names = CodeNames(location: "/", health: "|")
    for value in UInt8.min...UInt8.max {
      let sample =
        GlucoseSampleType(rawValue: value & 15).name + "/" + GlucoseSampleLocation(rawValue: value >> 4).name
      #expect(text { names.write(.sample, value, to: &$0) } == sample)
      let condition = Tester(rawValue: value & 15).name + "|" + HealthCondition(rawValue: value >> 4).name
      #expect(text { names.write(.condition, value, to: &$0) } == condition)
      #expect(
        text { names.write(.carbohydrate, value, to: &$0) } == CarbohydrateIdentifier(rawValue: value).name
      )
      #expect(text { names.write(.meal, value, to: &$0) } == Meal(rawValue: value).name)
      #expect(text { names.write(.medication, value, to: &$0) } == MedicationIdentifier(rawValue: value).name)
    }
    for bit in 0..<16 {
      #expect(text { names.write(.status, UInt8(bit), to: &$0) } == SensorStatusAnnunciation.name(ofBit: bit))
    }
    // The longest separators in use leave every name whole.
    let json = CodeNames(location: #"","location":""#, health: #"","health":""#)
    for value in UInt8.min...UInt8.max {
      let location = GlucoseSampleLocation(rawValue: value >> 4).name
      #expect(text { json.write(.sample, value, to: &$0) }.hasSuffix("\"location\":\"" + location))
      let health = HealthCondition(rawValue: value >> 4).name
      #expect(text { json.write(.condition, value, to: &$0) }.hasSuffix("\"health\":\"" + health))
    }
  }

  @Test func flagsAreFields() {
    #expect(
      text {
        $0.field(true)
        $0.field(false)
      } == "true,false,"
    )
  }
}
