import CBluetooth
import Glibc

/// The monitor channel: every HCI packet of every adapter, as the kernel sends and gets it.
///
/// Needs CAP_NET_RAW. Right after opening, the kernel tells of the adapters there are.
public final class MonitorChannel {
  public let descriptor: Int32
  private var buffer: [UInt8]

  /// HCI packets have at most 64 KiB and their header.
  private static let packetBound = 65_536 + 16
  /// Minutes of a glucose meter, or a second of a busy adapter.
  private static let waitingOctets: Int32 = 8 << 20

  public init() throws(ChannelFailure) {
    let opened = bluetooth_open_hci(BLUETOOTH_CHANNEL_MONITOR)
    guard opened >= 0 else { throw ChannelFailure.ofController(opened) }
    descriptor = opened
    buffer = [UInt8](repeating: 0, count: Self.packetBound)
    bluetooth_enlarge_receive_buffer(opened, Self.waitingOctets)
    // Without the kernel's stamps the time of reading serves.
    _ = bluetooth_ask_for_stamps(opened)
  }

  deinit { close(descriptor) }

  /// The next record that waits; nil where none does. What is no record is passed over.
  public func receive() -> MonitorRecord? {
    while true {
      var time: Int64 = 0
      let count = unsafe buffer.withUnsafeMutableBytes { room in
        unsafe bluetooth_receive_stamped(descriptor, room.baseAddress, room.count, &time)
      }
      if count == -Int(EINTR) { continue }
      guard count > 0 else { return nil }
      if let record = MonitorRecord(octets: Array(buffer[..<count]), time: time) { return record }
    }
  }

  /// How many records the kernel let go because they were not read in time.
  public var lostRecords: UInt32 { bluetooth_lost_datagrams(descriptor) }
}
