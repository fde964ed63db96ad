import BluetoothWire
import HealthProfiles
import Scenarios
import Testing

@Suite struct MeterTests {
  @Test(arguments: [GlucoseUnit.kilogramsPerLitre, .molesPerLitre]) func everyRecordSurvivesItsOctets(
    unit: GlucoseUnit
  ) throws {
    var meter = Meter(number: 3)
    meter.unit = unit
    meter.firstSequenceNumber = 0
    meter.minutesApart = 5
    for number in stride(from: UInt16(0), through: 65_500, by: 131) {
      let measurement = meter.measurement(number)
      #expect(try GlucoseMeasurement(decoding: measurement.octets.span.bytes) == measurement)
      #expect(measurement.concentration?.float.special == nil)
      let value = measurement.concentration?.float.decimal?.value ?? 0
      // 0.0008...0.0024 kg/L and 0.0045...0.0155 mol/L: between 80 and 280 mg/dL.
      #expect(value >= (unit == .kilogramsPerLitre ? 0.0008 : 0.0045))
      #expect(value <= (unit == .kilogramsPerLitre ? 0.0024 : 0.0155))
    }
  }

  @Test func contextsSurviveTheirOctets() throws {
    let meter = Meter()
    for number in stride(from: UInt16(4), through: 400, by: 4) {
      let context = meter.context(number)
      #expect(context.hasContent)
      #expect(try GlucoseMeasurementContext(decoding: context.octets.span.bytes) == context)
    }
  }

  @Test func metersDiffer() {
    #expect(Meter(number: 1).name == "GM-1 0001")
    #expect(Meter(number: 2).address.description == "F0:0D:CA:FE:00:02")
    #expect(Meter(number: 1).measurement(5) != Meter(number: 2).measurement(5))
  }
}
