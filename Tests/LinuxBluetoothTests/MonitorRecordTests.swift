import CaptureFiles
import LinuxBluetooth
import Testing

@Suite struct MonitorRecordTests {
  @Test func aRecordIsItsPacket() {
    let record = MonitorRecord(octets: [0x02, 0x00, 0x01, 0x00, 0x03, 0x00, 0x03, 0x0C, 0x00], time: 5)
    #expect(record?.kind == .command)
    #expect(record?.adapter == 1)
    #expect(record?.packet == [0x03, 0x0C, 0x00])
    #expect(record?.time == 5)
  }

  @Test func aRecordShorterThanItSaysIsNone() {
    #expect(MonitorRecord(octets: [0x02, 0x00, 0x01, 0x00, 0x04, 0x00, 0x03, 0x0C, 0x00], time: 0) == nil)
    #expect(MonitorRecord(octets: [0x02, 0x00], time: 0) == nil)
  }

  /// Management traffic holds keys, vendor diagnostics nobody can read.
  @Test(arguments: [11, 14, 15, 16, 17, 99] as [UInt8])
  func whatIsNoTrafficIsNotRecorded(opcode: UInt8) {
    #expect(MonitorRecord(octets: [opcode, 0, 0, 0, 0, 0], time: 0)?.kind == nil)
  }

  @Test func userLoggingIsItsText() {
    let record = MonitorRecord(octets: [13, 0, 0, 0, 5, 0, 6, 3, 0x61, 0x62, 0], time: 0)
    #expect(record?.kind == .text)
    #expect(record?.packet == [0x61, 0x62, 0])
  }
}
