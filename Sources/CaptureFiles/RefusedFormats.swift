/// Files people have instead of a capture, told from their first octets and refused by name.
enum RefusedFormats {
  static let probeLength = 1024

  static func refusal(_ start: [UInt8]) -> Refusal? {
    if start.starts(with: [0x00, 0x05, 0x16, 0x07]) || start.starts(with: [0x00, 0x05, 0x16, 0x00]) {
      return Refusal(
        what: "an AppleDouble file, the attributes macOS keeps beside a file and not the file itself",
        hint: "Use the file of the same name without the leading \"._\"."
      )
    }
    if isFrontline(start) {
      return Refusal(
        what: "a Frontline HCI log in a proprietary layout",
        hint: "Export it as btsnoop, or capture again with btmon -w or the phone's HCI snoop log."
      )
    }
    if contains(start, "Ellisys") {
      return Refusal(what: "an Ellisys recording", hint: "Export its HCI traffic as btsnoop or pcapng.")
    }
    if isEventTrace(start) {
      return Refusal(
        what: "a Windows event trace (ETL)",
        hint: "Convert it to btsnoop with Microsoft's btetlparse, then read that."
      )
    }
    return FirstOctets.isText(Array(start.prefix(512))) ? textRefusal(start) : nil
  }

  /// Records of 4C or 4D (sent, received), packet type, length, packet, then 44, 45 or 48 with a time stamp; a cut one
  /// may come first.
  private static func isFrontline(_ start: [UInt8]) -> Bool {
    for place in 0..<min(8, max(0, start.count - 8)) where start[place] == 0x4C || start[place] == 0x4D {
      let length = Int(start[place + 2]) | Int(start[place + 3]) << 8
      let end = place + 4 + length
      if [1, 2, 4, 8].contains(start[place + 1]), length >= 2, end < start.count,
        [0x44, 0x45, 0x48].contains(start[end])
      {
        return true
      }
    }
    return false
  }

  /// A trace buffer's size, then the system trace header with its 32- or 64-bit marker.
  private static func isEventTrace(_ start: [UInt8]) -> Bool {
    guard start.count >= 0x50 else { return false }
    let size = (0..<4).reduce(0) { $0 | Int(start[$1]) << (8 * $1) }
    let marker = start[0x48..<0x4C]
    return size >= 1024 && size <= 1 << 24 && size % 512 == 0 && marker[0x4B] == 0xC0
      && (marker[0x4A] == 1 || marker[0x4A] == 2) && marker[0x49] == 0
  }

  /// What lines of btmon begin with, those of a piece out of its middle as well.
  private static let monitorLines = [
    "Bluetooth monitor ver", "> HCI Event", "< HCI Command", "> ACL Data", "< ACL Data", "> SCO Data", "< SCO Data",
    "> ISO Data", "< ISO Data", "@ MGMT", "@ RAW Open", "@ RAW Close", "@ USER Open", "@ USER Close", "= New Index",
    "= Open Index", "= Close Index", "= Delete Index", "= Index Info", "= Note: ", "= bluetoothd: ",
  ]

  private static func textRefusal(_ start: [UInt8]) -> Refusal? {
    let text = String(decoding: start, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).prefix(12)
    for line in lines {
      let plain = withoutColour(line)
      if monitorLines.contains(where: { plain.hasPrefix($0) }) {
        return Refusal(
          what: "the printed output of btmon, not a capture",
          hint: "Capture with btmon -w FILE and read that file."
        )
      }
      if plain.hasPrefix("HCI sniffer - Bluetooth packet analyzer") {
        return Refusal(
          what: "the printed output of hcidump, not a capture",
          hint: "Capture with hcidump -w FILE or btmon -w FILE and read that file."
        )
      }
      if plain.hasPrefix("No.     Time") || isFrameLine(plain) || isPacketLine(plain) {
        return Refusal(
          what: "the printed output of Wireshark or tshark, not a capture",
          hint: "Read the capture file itself, or save it as pcapng."
        )
      }
    }
    return nil
  }

  private static func withoutColour(_ line: Substring) -> Substring {
    guard line.utf8.first == 0x1B, let end = line.firstIndex(of: "m") else { return line }
    return line[line.index(after: end)...]
  }

  /// `Frame 1: 37 bytes on wire`.
  private static func isFrameLine(_ line: Substring) -> Bool {
    line.hasPrefix("Frame ") && line.contains(" bytes on wire")
  }

  /// `    1   0.000000         host → controller   HCI_CMD 4 Sent Reset`.
  private static func isPacketLine(_ line: Substring) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count == 3, UInt32(words[0]) != nil, Double(words[1]) != nil else { return false }
    return words[2].contains("HCI") || words[2].contains("ATT ") || words[2].contains("LE LL")
  }

  private static func contains(_ start: [UInt8], _ word: String) -> Bool {
    let plain: [UInt8] = Array(word.utf8)
    let wide: [UInt8] = plain.flatMap { [$0, 0] as [UInt8] }
    return [plain, wide].contains { pattern in
      start.count >= pattern.count
        && (0...(start.count - pattern.count)).contains { start[$0...].starts(with: pattern) }
    }
  }
}
