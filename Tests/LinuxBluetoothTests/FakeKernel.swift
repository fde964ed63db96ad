import BluetoothWire
import Glibc

@testable import LinuxBluetooth

/// The kernel's end of a control channel: a socket pair.
final class FakeKernel {
  let control: ControlChannel
  private let end: Int32

  init() {
    var ends: [Int32] = [0, 0]
    _ = socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
    control = ControlChannel(descriptor: ends[0])
    end = ends[1]
  }

  deinit { close(end) }

  func tell(_ code: UInt16, _ parameters: [UInt8], adapter: UInt16 = 0) {
    let octets = ManagementPacket(code: code, adapter: adapter, parameters: parameters).octets
    _ = octets.withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
  }

  /// The commands that were sent, in order.
  func heard() -> [ManagementPacket] {
    var packets: [ManagementPacket] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(end, $0.baseAddress, $0.count) }
      guard count > 0 else { return packets }
      if let packet = ManagementPacket(octets: Array(buffer[..<count])) { packets.append(packet) }
    }
  }
}

/// Bonds in memory.
final class BondsInMemory: BondKeeping {
  var held: [Bond] = []
  var isFull = false

  struct Full: Error, CustomStringConvertible { let description = "the disk is full" }

  func bonds() -> [Bond] { held }

  func keep(_ bond: Bond) throws {
    if isFull { throw Full() }
    held.removeAll { $0.address == bond.address }
    held.append(bond)
  }

  func forget(_ address: DeviceAddress) { held.removeAll { $0.address == address } }
}
