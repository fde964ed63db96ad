import BluetoothWire
import CaptureFiles

/// An L2CAP channel that carries ATT (Core Vol 3 Part G 5.3).
struct EnhancedBearer: Sendable {
  var collectorChannel: UInt16
  var sensorChannel: UInt16
  /// K-frames since a party was last given credits.
  var sentByCollector: UInt16 = 0
  var sentBySensor: UInt16 = 0

  static let mtu: UInt16 = 185
  /// As on a controller with small buffers, so that long PDUs take two K-frames.
  static let mps: UInt16 = 64
  static let initialCredits: UInt16 = 16
  static let grantedCredits: UInt16 = 8
}

extension Renderer {
  /// An L2CAP Credit Based Connection of up to five channels for SPSM 0x0027 (Core Vol 3 Part A 4.25, 4.26).
  mutating func openBearers(_ requested: Int) {
    let count = UInt16(max(1, min(5, requested)))
    let made = UInt16(link.bearers.count)
    let bearers = (made..<made + count).map {
      EnhancedBearer(collectorChannel: 0x0040 + $0, sensorChannel: 0x0050 + $0)
    }
    let identifier = nextSignalIdentifier()
    let sizes = [EnhancedBearer.mtu, EnhancedBearer.mps, EnhancedBearer.initialCredits]
    send(
      .collector,
      LogicalLinkEncoding.signallingChannel,
      LogicalLinkEncoding.signal(0x17, identifier: identifier, [0x0027] + sizes + bearers.map(\.collectorChannel))
    )
    send(
      .sensor,
      LogicalLinkEncoding.signallingChannel,
      LogicalLinkEncoding.signal(0x18, identifier: identifier, sizes + [0x0000] + bearers.map(\.sensorChannel))
    )
    link.bearers += bearers
  }

  /// An SDU in K-frames to the receiver's channel; the receiver gives credits back after every eight.
  mutating func sendEnhanced(_ party: Party, _ octets: [UInt8], bearer index: Int) {
    let bearer = link.bearers[index]
    let channel = party == .collector ? bearer.sensorChannel : bearer.collectorChannel
    for segment in LogicalLinkEncoding.segments(of: octets, maximum: Int(EnhancedBearer.mps)) {
      send(party, channel, segment)
      let sent = party == .collector ? \EnhancedBearer.sentByCollector : \EnhancedBearer.sentBySensor
      link.bearers[index][keyPath: sent] += 1
      guard link.bearers[index][keyPath: sent] == EnhancedBearer.grantedCredits else { continue }
      link.bearers[index][keyPath: sent] = 0
      let identifier = nextSignalIdentifier()
      send(
        party.other,
        LogicalLinkEncoding.signallingChannel,
        LogicalLinkEncoding.signal(0x16, identifier: identifier, [channel, EnhancedBearer.grantedCredits])
      )
    }
  }
}
