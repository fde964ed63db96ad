/// What the octets of an input are, by their content alone.
enum Recognition {
  case capture(CaptureFormat)
  /// A gzip stream, to be unpacked.
  case gzip
  /// An archive or a stream compressed in another way, to be looked into.
  case container
  /// Text that may hold a btsnooz section somewhere.
  case text
  case refused(Refusal)
  case unknown
  case empty

  init(_ window: inout RecordWindow) {
    guard window.have(1) else {
      self = .empty
      return
    }
    for probe in [BtsnoopFormat.probe, PcapFormat.probe, PcapngFormat.probe] {
      switch probe(&window) {
      case .mine(let format):
        self = .capture(format)
        return
      case .refused(let refusal):
        self = .refused(refusal)
        return
      case .notMine: continue
      }
    }
    if window.peek(2) == GzipSource.magic {
      self = .gzip
    } else if Self.isContainer(window.peek(6)) {
      self = .container
    } else if let refusal = RefusedFormats.refusal(window.peek(RefusedFormats.probeLength)) {
      self = .refused(refusal)
    } else if case .mine(let format) = PacketLoggerFormat.probe(&window) {
      self = .capture(format)
    } else if TarHeader.isThere(window.peek(TarHeader.length)) {
      self = .container
    } else if FirstOctets.isText(window.peek(512)) {
      self = .text
    } else {
      self = .unknown
    }
  }

  private static func isContainer(_ start: [UInt8]) -> Bool {
    let magics: [[UInt8]] = [
      [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x28, 0xB5, 0x2F, 0xFD],
      [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], [0x42, 0x5A, 0x68],
    ]
    return magics.contains { start.starts(with: $0) }
  }
}
