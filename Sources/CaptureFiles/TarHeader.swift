/// The header block of a tar archive: "ustar" at octet 257.
enum TarHeader {
  static let length = 512

  static func isThere(_ start: [UInt8]) -> Bool {
    start.count >= length && start[257..<262].elementsEqual("ustar".utf8)
  }
}
