import CaptureFiles
import Testing

@Suite struct RefusalTests {
  private func error(_ octets: [UInt8]) -> CaptureError? {
    do throws(CaptureError) {
      _ = try Walk(octets)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [UInt8(0xEB), 0xEC])
  func serialDatalinks(_ low: UInt8) {
    let found = error(Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, low])
    #expect(found?.kind == .refused)
    #expect(found?.message.contains("datalink \(768 + Int(low))") == true)
  }

  @Test(arguments: [UInt16(251), 256, 272, 157])
  func radioLinkTypes(_ type: UInt16) {
    var file = written(.pcap(.uart))
    file[20] = UInt8(type & 0xFF)
    file[21] = UInt8(type >> 8)
    #expect(error(file)?.kind == .refused)
    #expect(error(file)?.message.contains("radio capture") == true)
    #expect(error(file)?.hint.contains("Capture HCI on the host") == true)
  }

  @Test(arguments: [UInt16(189), 220, 249])
  func usbLinkTypes(_ type: UInt16) {
    var file = written(.pcap(.uart))
    file[20] = UInt8(type)
    #expect(error(file)?.message.contains("USB capture") == true)
  }

  @Test(arguments: [
    ("= New Index: 00:00:5E:00:53:A1 (Primary,USB,hci0)  [hci0] 0.1\n", "btmon"),
    ("@ RAW Open: btmon (privileged) version 2.22  {0x0002} 0.2\n", "btmon"),
    ("Bluetooth monitor ver 5.66\n", "btmon"), ("= Note: x\n> HCI Event: Command Complete (0x0e) plen 4\n", "btmon"),
    ("\u{1B}[0;37m@ MGMT Open: x\n", "btmon"), ("No.     Time           Source\n", "Wireshark"),
    ("    1   0.000000         host → controller   HCI_CMD 4 Sent Reset\n", "Wireshark"),
    ("Frame 1: 37 bytes on wire (296 bits)\n", "Wireshark"),
  ])
  func printedOutput(_ text: String, _ name: String) {
    #expect(error(Array(text.utf8))?.kind == .refused)
    #expect(error(Array(text.utf8))?.message.contains(name) == true)
  }

  @Test func proprietaryRecordings() {
    let frontline: [UInt8] = [0x4C, 0x01, 0x04, 0x00, 0x01, 0x03, 0x0C, 0x00, 0x44, 0x03, 0x62, 0x91, 0x1F, 0x4D, 8, 7]
    #expect(error(frontline)?.message.contains("Frontline") == true)
    #expect(error([1, 2] + Array("Ellisys".utf8) + [0, 0, 0])?.message.contains("Ellisys") == true)
    var trace = [UInt8](repeating: 0, count: 128)
    trace[2] = 1
    trace.replaceSubrange(0x48..<0x4C, with: [2, 0, 2, 0xC0])
    #expect(error(trace)?.message.contains("Windows event trace") == true)
  }

  @Test func notACaptureSaysHowItStarts() {
    #expect(
      error(Array("hello \u{1B}[31mworld".utf8))?.message == "test is not a capture: it starts with \"hello \" (text)."
    )
    #expect(error([0xDE, 0xAD, 0, 1])?.message == "test is not a capture: it starts with DE AD 00 01.")
    #expect(error([])?.kind == .empty)
    #expect(error([0, 5, 0x16, 7, 0, 2, 0, 0])?.message.contains("AppleDouble") == true)
  }

  @Test func missingFileAndDirectory() {
    let missing = #expect(throws: CaptureError.self) { try captures(in: "/nowhere/file.log") }
    #expect(missing?.kind == .unreadable)
    #expect(missing?.message == "/nowhere/file.log cannot be opened: there is no such file.")
    let directory = #expect(throws: CaptureError.self) { try captures(in: "/") }
    #expect(directory?.kind == .unreadable)
  }
}
