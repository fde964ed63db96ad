import Glibc

/// Whole packets over a connected socket; errors are negative error numbers, interruptions are passed over.
enum PacketSocket {
  static func send(_ descriptor: Int32, _ packet: [UInt8]) -> Int {
    while true {
      let count = unsafe packet.withUnsafeBytes { octets in
        unsafe Glibc.send(descriptor, octets.baseAddress, octets.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }

  static func receive(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { room in
        unsafe recv(descriptor, room.baseAddress, room.count, 0)
      }
      if count >= 0 { return count }
      if errno != EINTR { return -Int(errno) }
    }
  }
}
