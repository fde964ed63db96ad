import BluetoothWire
import HealthProfiles
import Testing

struct DeviceValueTests {
  @Test func currentTime() throws {
    let octets = bytes("EA07 01 05 07 1E 00 01 80 15")
    let value = try CurrentTime(decoding: octets.span.bytes)
    #expect("\(value.dateTime)" == "2026-01-05 07:30:00")
    #expect(value.dayName == "Monday")
    #expect(value.fractions == 128)
    #expect(value.adjustReason.names == ["manual", "time zone", "reserved bit 4"])
    #expect(value.octets == octets)
    #expect(throws: WireError.self) { try CurrentTime(decoding: bytes("EA07 01 05 07 1E 00 01 80").span.bytes) }
    #expect(CurrentTime(dateTime: value.dateTime, dayOfWeek: 8).dayName == nil)
  }

  @Test func strings() {
    let value = DeviceInformationString(decoding: bytes("4D65746572").span.bytes)
    #expect(value.text == "Meter")
    #expect(!value.isRepaired)
    let broken = DeviceInformationString(octets: bytes("4DFF72"))
    #expect(broken.text == "M\u{FFFD}r")
    #expect(broken.isRepaired)
    #expect(broken.octets == bytes("4DFF72"))
  }

  @Test func identifiers() throws {
    let system = try SystemID(decoding: bytes("0504030201 CCBBAA").span.bytes)
    #expect("\(system)" == "AABBCC-0102030405")
    #expect(system.octets == bytes("0504030201 CCBBAA"))
    let pnp = try PnPID(decoding: bytes("01 2301 6745 0001").span.bytes)
    #expect("\(pnp)" == "vendor 0x0123 (Bluetooth SIG), product 0x4567, version 0x0100")
    #expect(pnp.octets == bytes("01 2301 6745 0001"))
    #expect(PnPID(source: 3, vendor: 0, product: 0, version: 0).sourceName == "reserved value 3")
  }

  @Test func battery() throws {
    #expect(try BatteryLevel(decoding: bytes("64").span.bytes).isValid)
    #expect(!BatteryLevel(percent: 101).isValid)
    #expect(throws: WireError.self) { try BatteryLevel(decoding: bytes("").span.bytes) }
  }
}
