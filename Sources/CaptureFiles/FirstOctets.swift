import BluetoothWire

/// Speaks of the first octets of an input that is not a capture.
enum FirstOctets {
  /// True for octets that are text: no NUL, hardly any control octets.
  static func isText(_ start: [UInt8]) -> Bool {
    guard !start.isEmpty, !start.contains(0) else { return false }
    let odd = start.count { $0 < 0x20 && !($0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x1B) }
    let high = start.count { $0 >= 0x80 }
    return odd == 0 && high * 4 <= start.count
  }

  /// `"hello wor" (text)` or `00 05 16 07 00 02 00 00`: printable ASCII only, not escaped.
  static func description(_ start: [UInt8]) -> String {
    let printable = start.prefix(16).prefix { (0x20..<0x7F).contains($0) }
    if printable.count >= min(4, start.count), isText(start) {
      return "\"\(String(decoding: printable, as: UTF8.self))\" (text)"
    }
    return start.prefix(8).map { hex(UInt64($0), digits: 2) }.joined(separator: " ")
  }
}

extension FirstOctets {
  /// How many octets are looked at.
  static let length = 512

  /// The error of an input that is nothing known.
  static func error(_ start: [UInt8], _ name: String) -> CaptureError {
    CaptureError(
      .notACapture,
      "\(name) is not a capture: it starts with \(description(start)).",
      hint: "Capture with btmon -w FILE or the phone's HCI snoop log."
    )
  }

  /// The error of an input that gave no octets.
  static func emptiness(_ source: ByteSource, _ name: String) -> CaptureError {
    if let failure = source.failure { return CaptureError(.unreadable, "\(name) cannot be read: \(failure).") }
    return CaptureError(.empty, "\(name) is empty.", hint: "Check that the logger was running and has been stopped.")
  }
}
