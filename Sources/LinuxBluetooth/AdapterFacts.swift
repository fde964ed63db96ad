public import BluetoothWire
import CBluetooth
import Glibc

/// One Bluetooth adapter: what the kernel says of it through a raw socket, and its management settings.
public struct AdapterFacts: Sendable, Equatable {
  /// `hci0` = 0.
  public var identifier: UInt16
  public var name: String
  /// All zeros for an adapter that has none.
  public var address: DeviceAddress
  /// How it is attached: USB, UART and the like.
  public var bus: String
  public var isUp: Bool
  /// Octets since it was added.
  public var receivedOctets: UInt32
  public var sentOctets: UInt32
  /// Nil where the management interface does not tell.
  public var information: AdapterInformation?

  /// Every adapter, by identifier. No privilege is needed.
  public static func all(_ loop: inout EventLoop) throws(ChannelFailure) -> [AdapterFacts] {
    let socket = bluetooth_open_hci(BLUETOOTH_CHANNEL_RAW)
    guard socket >= 0 else { throw ChannelFailure.ofController(socket) }
    defer { close(socket) }
    var identifiers = [UInt16](repeating: 0, count: 16)
    let count = unsafe identifiers.withUnsafeMutableBufferPointer { room in
      unsafe bluetooth_list_adapters(socket, room.baseAddress, Int32(room.count))
    }
    guard count >= 0 else { throw ChannelFailure.ofController(count) }
    let control = try ControlChannel()
    var adapters: [AdapterFacts] = []
    for identifier in identifiers.prefix(Int(count)).sorted() {
      var raw = bluetooth_adapter_facts()
      guard unsafe bluetooth_read_adapter(socket, identifier, &raw) == 0 else { continue }
      var facts = AdapterFacts(raw)
      facts.information = try AdapterInformation.read(identifier, control, &loop)
      adapters.append(facts)
    }
    return adapters
  }

  private init(_ raw: bluetooth_adapter_facts) {
    identifier = raw.identifier
    name = "hci\(raw.identifier)"
    let octets = [raw.address.0, raw.address.1, raw.address.2, raw.address.3, raw.address.4, raw.address.5]
    address = DeviceAddress(value: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }, isRandom: false)
    bus = Self.buses.indices.contains(Int(raw.bus)) ? Self.buses[Int(raw.bus)] : "bus \(raw.bus)"
    isUp = raw.is_up != 0
    receivedOctets = raw.received_octets
    sentOctets = raw.sent_octets
  }

  /// The kernel's numbers of buses (hci.h).
  private static let buses = [
    "virtual", "USB", "PC Card", "UART", "RS232", "PCI", "SDIO", "SPI", "I2C", "SMD", "virtio",
  ]
}
