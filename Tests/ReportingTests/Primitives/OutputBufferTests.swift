import Glibc
import Reporting
import Testing

@Suite struct OutputBufferTests {
  @Test func numbersAreDigits() {
    var output = OutputBuffer()
    output.append(decimal: 0)
    output.append(" ")
    output.append(decimal: -42)
    output.append(" ")
    output.append(digits: 7, width: 3)
    output.append(" ")
    output.append(decimal: UInt64.max)
    output.append(" ")
    output.append(fixed: 410, places: 3)
    output.append(" ")
    output.append(fixed: -1205, places: 2)
    output.append(" ")
    output.append(hex: 0x2A18, width: 4)
    output.append(" ")
    output.append(hex: 0x12345, width: 4)
    #expect(output.text == "0 -42 007 18446744073709551615 0.410 -12.05 0x2A18 0x12345")
  }

  @Test func octetsAreHexadecimal() {
    var output = OutputBuffer()
    let octets: [UInt8] = [0x00, 0xAB, 0x7F]
    output.append(hexOctetsOf: octets.span.bytes)
    output.append(hexOctetsOf: octets.span.bytes, separator: 0x20)
    #expect(output.text == "00ab7f00 ab 7f")
  }

  @Test func aGoneReaderIsAResult() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    var output = OutputBuffer(descriptor: ends[1])
    output.append("text")
    output.flush()
    #expect(output.failure == .readerGone)
    #expect(output.failure?.text == nil)
    output.append("more")
    output.flush()
    #expect(output.octets.isEmpty)
    close(ends[1])
  }

  @Test func aFullDeviceIsAResult() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    var output = OutputBuffer(descriptor: descriptor)
    for _ in 0..<70_000 { output.append(octet: 0x41) }
    #expect(output.failure == .full)
    #expect(output.failure?.text == "no space left to write to")
    #expect(!output.isOpen)
    close(descriptor)
  }

  @Test func piecesArriveWhole() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    var output = OutputBuffer(descriptor: ends[1])
    for number in 0..<5_000 {
      output.append(digits: UInt64(number), width: 5)
      output.newline()
    }
    output.flush()
    close(ends[1])
    var read = [UInt8](repeating: 0, count: 65_536)
    #expect(Glibc.read(ends[0], &read, read.count) == 30_000)
    #expect(String(decoding: read[29_994..<30_000], as: UTF8.self) == "04999\n")
    close(ends[0])
  }
}
