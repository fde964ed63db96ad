public import BluetoothWire
public import CaptureFiles

/// Takes the records of the monitor channel.
public protocol MonitorConsumer: AnyObject {
  /// One record: `frame.offset` is 0 and `frame.number` counts from 1.
  func take(_ frame: CapturedFrame, _ octets: [UInt8])
  /// What was read at once is complete; `lost` is how many records the kernel has let go so far.
  func flush(lost: UInt32)
}

/// Reads the monitor channel and hands what belongs to one adapter, or to all, to a consumer.
public struct TrafficRecorder {
  private let channel: MonitorChannel
  private let adapter: UInt16?
  private var count: UInt32 = 0
  private let consumer: (any MonitorConsumer)?
  /// The reason of the last Pairing Failed a peer has sent (Core Vol 3 Part H 3.5.5): the kernel tells it nowhere else.
  public private(set) var pairingFailure: PairingFailure?

  /// - Parameters:
  ///   - adapter: nil for every adapter.
  ///   - consumer: nil where only failures of pairing are looked for.
  public init(_ channel: MonitorChannel, adapter: UInt16?, consumer: (any MonitorConsumer)?) {
    self.channel = channel
    self.adapter = adapter
    self.consumer = consumer
  }

  public var descriptor: Int32 { channel.descriptor }

  /// Reads what waits.
  public mutating func serve() {
    var isNew = false
    // A busy adapter must not keep the caller from its own work.
    for _ in 0..<512 {
      guard let record = channel.receive() else { break }
      if let adapter, record.adapter != adapter { continue }
      guard let kind = record.kind else { continue }
      count += 1
      isNew = true
      let octets = record.packet
      if kind == .aclReceived, let reason = Self.pairingFailed(octets) { pairingFailure = reason }
      consumer?.take(
        CapturedFrame(
          number: count,
          kind: kind,
          adapter: record.adapter,
          time: record.time,
          offset: 0,
          length: octets.count,
          originalLength: octets.count
        ),
        octets
      )
    }
    if isNew { consumer?.flush(lost: channel.lostRecords) }
  }

  /// Forgets what an earlier link told.
  public mutating func beginLink() { pairingFailure = nil }

  /// ACL `handle u16 · length u16`, L2CAP `length u16 · CID u16`, SMP `code u8 · reason u8`.
  private static func pairingFailed(_ packet: [UInt8]) -> PairingFailure? {
    guard packet.count >= 10, packet[6] == 0x06, packet[7] == 0x00, packet[8] == 0x05 else { return nil }
    return PairingFailure(rawValue: packet[9])
  }
}
