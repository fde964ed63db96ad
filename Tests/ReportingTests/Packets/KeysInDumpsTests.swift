import CaptureFiles
import Foundation
import Reporting
import Testing

/// No dump of octets, in text or JSON, shows a key or what gives one away (Core Vol 4 Part E 7.1, 7.3, 7.7, 7.8).
@Suite struct KeysInDumpsTests {
  /// What must not be seen: no octet of it stands elsewhere in the frames below.
  private static let key: [UInt8] = (0..<16).map { 0xA0 + $0 }
  private static let address: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06]

  private static func command(_ opcode: UInt16, _ parts: [UInt8]...) -> [UInt8] {
    let parameters = parts.flatMap { $0 }
    return [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
  }

  private static func event(_ code: UInt8, _ parts: [UInt8]...) -> [UInt8] {
    let parameters = parts.flatMap { $0 }
    return [code, UInt8(parameters.count)] + parameters
  }

  private static func complete(_ opcode: UInt16, _ returned: [UInt8]...) -> [UInt8] {
    event(0x0E, [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0], returned.flatMap { $0 })
  }

  private static let commandsWithKeys: [[UInt8]] = [
    command(0x2017, [UInt8](repeating: 0, count: 16), key), command(0x2017, key, key),
    command(0x2019, [0x40, 0x00], [UInt8](repeating: 0, count: 10), key), command(0x201A, [0x40, 0x00], key),
    command(0x2027, [0x00], address, key, key), command(0x040B, address, key),
    command(0x040D, address, [0x10], key), command(0x0430, address, key, key),
    command(0x0445, address, key, key, key, key), command(0x0C11, [0x01], address, key),
  ]

  private static let eventsWithKeys: [[UInt8]] = [
    complete(0x2017, key), complete(0x2018, Array(key.prefix(8))), complete(0x0C57, key, key),
    complete(0x0C7D, key, key, key, key), event(0x18, address, key, [0x04]), event(0x15, [1], address, key),
    event(0x3E, [0x09, 0x00], key, key),
  ]

  private func dumps(
    _ frames: [(kind: FrameKind, octets: [UInt8])],
    _ format: WritableFormat = .btsnoop(.monitor)
  ) throws -> [String] {
    var writer = CaptureWriter(format: format)
    for (index, frame) in frames.enumerated() {
      writer.write(kind: frame.kind, time: 1_772_611_200_000_000 + Int64(index), octets: frame.octets)
    }
    let capture = writer.finish()
    return try PacketsOptions.Format.allCases.map { format in
      var options = PacketsOptions()
      options.hasOctets = true
      options.isWide = true
      options.format = format
      var report = PacketsReport(options, output: OutputBuffer())
      var reader = try CaptureReader.open(.memory(capture, name: "keys"))
      report.read(&reader)
      return report.output.text
    }
  }

  /// How many of the dumped octets are of the key.
  private func leaks(_ dump: String) -> Int {
    var digits = ""
    for line in dump.split(separator: "\n") {
      if let start = line.range(of: "\"octets\":\"") {
        digits += line[start.upperBound...].prefix { $0 != "\"" }
      } else if line.hasPrefix("         0") {
        digits += line.dropFirst(15).filter { $0 != " " }
      }
    }
    var octets: [UInt8] = []
    while !digits.isEmpty {
      octets.append(UInt8(digits.prefix(2), radix: 16) ?? 0xA0)
      digits.removeFirst(min(2, digits.count))
    }
    #expect(octets.count > 3)
    return octets.count { Self.key.contains($0) }
  }

  @Test(arguments: commandsWithKeys)
  func commands(_ octets: [UInt8]) throws {
    for dump in try dumps([(.command, octets)]) { #expect(leaks(dump) == 0, "\(dump)") }
  }

  @Test(arguments: eventsWithKeys)
  func events(_ octets: [UInt8]) throws {
    for dump in try dumps([(.event, octets)]) { #expect(leaks(dump) == 0, "\(dump)") }
  }

  @Test func whatIsPublicStays() throws {
    let publicKey = Self.event(0x3E, [0x08, 0x00], Self.key, Self.key, Self.key, Self.key)
    for dump in try dumps([(.event, publicKey)]) { #expect(leaks(dump) > 0) }
    for dump in try dumps([(.event, Self.complete(0x1009, Self.address))]) { #expect(dump.contains("02")) }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 11, 27])
  func distributedKeysInFragments(_ size: Int) throws {
    for channel in [0x06, 0x07] as [UInt8] {
      for code in [0x03, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0D] as [UInt8] {
        let unit: [UInt8] = [17, 0, channel, 0, code] + Self.key
        var frames: [(kind: FrameKind, octets: [UInt8])] = []
        for start in stride(from: 0, to: unit.count, by: size) {
          let part = unit[start..<min(start + size, unit.count)]
          let header: [UInt8] = [0x40, start == 0 ? 0x20 : 0x10, UInt8(part.count), 0]
          frames.append((.aclReceived, header + part))
        }
        // The next PDU of the link is shown again.
        frames.append((.aclReceived, [0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x1B, 0x77, 0x00]))
        // Link type 187 does not say whose a continuation is.
        for format in [WritableFormat.btsnoop(.monitor), .pcap(.uart)] {
          for dump in try dumps(frames, format) {
            #expect(leaks(dump) == 0, "\(code) by \(size) in \(format): \(dump)")
            #expect(dump.contains("77"))
          }
        }
      }
    }
  }

  @Test(arguments: [
    "link key: A0A1A2A3A4A5A6A7A8A9AAABACADAEAF", "LTKa0a1a2a3a4a5a6a7a8a9aaabacadaeaf.",
    "key a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af ", "A0:A1:A2:A3:A4:A5:A6:A7:A8:A9:AA:AB:AC:AD:AE:AF",
    "{0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF}",
    "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf",
  ])
  func textOfALogger(_ text: String) throws {
    for dump in try dumps([(.text, Array(text.utf8) + [0])]) {
      #expect(!dump.uppercased().contains("A4") && !dump.uppercased().contains("AE"), "\(dump)")
      #expect(!dump.contains("61 34") && !dump.contains("41 34") && !dump.contains("6134"), "\(dump)")
      #expect(dump.contains("note: "))
    }
  }

  @Test func otherTextStays() throws {
    let text = "handle 0x0040, addr 00:1B:DC:08:E2:72, status 0x00, 4 of 12 octets; bad beef face"
    for dump in try dumps([(.text, Array(text.utf8))]) { #expect(dump.contains(text)) }
  }
}
