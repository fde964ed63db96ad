import BluetoothWire
import CaptureFiles

extension Renderer {
  /// The address the sensor's host or the collector's host has.
  private var localAddress: DeviceAddress { rendering.side == .collector ? collectorAddress : meter.address }

  private var collectorAddress: DeviceAddress {
    DeviceAddress(
      value: scenario.collectorAddress.value &+ UInt64(collector),
      isRandom: scenario.collectorAddress.isRandom
    )
  }

  /// New Index, Open Index and Index Information (captures.md 1.1), then the commands that set the address.
  mutating func adapterAppears() {
    let address = DeviceAddress(
      value: (rendering.side == .collector ? scenario.collectorAddress.value : 0x0000_5E00_5310) &+ UInt64(adapter),
      isRandom: false
    )
    let name = Array("hci".utf8) + Array(String(adapter).utf8)
    let padded = name.prefix(8) + [UInt8](repeating: 0, count: max(0, 8 - name.count))
    emit(.adapterAdded, [0x00, 0x01] + address.octets + padded, after: 0)
    emit(.adapterOpened, [], after: 500)
    emit(.adapterInformation, address.octets + [0x3F, 0x00], after: 500)
    exchange(0x1009, [], [0x00] + address.octets)
    if localAddress.isRandom { exchange(0x2005, localAddress.octets) }
  }

  /// A command and its Command Complete.
  mutating func exchange(_ opCode: UInt16, _ parameters: [UInt8], _ returned: [UInt8] = [0x00]) {
    emit(.command, HCIEncoding.command(opCode, parameters))
    emit(.event, HCIEncoding.commandComplete(opCode, returned), after: 1500)
  }

  /// A command and its Command Status.
  mutating func order(_ opCode: UInt16, _ parameters: [UInt8]) {
    emit(.command, HCIEncoding.command(opCode, parameters))
    emit(.event, HCIEncoding.commandStatus(opCode, status: 0), after: 1500)
  }

  mutating func advertise() {
    let data = AdvertisingEncoding.data(services: meter.advertisedServices, name: Array(meter.name.utf8))
    guard rendering.side == .collector else {
      exchange(0x2008, [UInt8(clamping: data.count)] + data + [UInt8](repeating: 0, count: max(0, 31 - data.count)))
      exchange(0x200A, [0x01])
      return
    }
    let head: [UInt8] = [0x01, 0x00, meter.address.isRandom ? 1 : 0]
    let report = head + meter.address.octets + [UInt8(clamping: data.count)] + data + [0xC4]
    emit(.event, HCIEncoding.lowEnergyEvent(0x02, report), after: 40_000)
  }

  mutating func connect(_ parameters: ConnectionParameters) {
    link = LinkState(collectorRole: parameters.collectorRole)
    let sensor = parameters.sensorAddress ?? meter.address
    let peer = rendering.side == .sensor ? collectorAddress : parameters.isResolved ? meter.address : sensor
    var peerType: UInt8 = peer.isRandom ? 1 : 0
    if parameters.isResolved && rendering.side == .collector { peerType |= 2 }
    if localRole == .central { createConnection(peer, peerType, parameters) }
    var writer = ByteWriter([parameters.status])
    writer.u16(handle)
    writer.append([localRole.rawValue, peerType])
    writer.append(peer.octets)
    if parameters.isEnhanced {
      let none = [UInt8](repeating: 0, count: 6)
      let isPrivate = sensor.kind == .resolvablePrivate
      writer.append(isPrivate && rendering.side == .sensor ? sensor.octets : none)
      writer.append(isPrivate && rendering.side == .collector && parameters.isResolved ? sensor.octets : none)
    }
    writer.u16(parameters.interval)
    writer.u16(parameters.latency)
    writer.u16(parameters.supervisionTimeout)
    writer.u8(0)
    emit(.event, HCIEncoding.lowEnergyEvent(parameters.isEnhanced ? 0x0A : 0x01, writer.octets), after: 80_000)
  }

  private mutating func createConnection(_ peer: DeviceAddress, _ type: UInt8, _ parameters: ConnectionParameters) {
    var writer = ByteWriter()
    writer.u16(0x0060)
    writer.u16(0x0060)
    writer.append([0x00, type])
    writer.append(peer.octets)
    writer.u8(localAddress.isRandom ? 1 : 0)
    writer.u16(parameters.interval)
    writer.u16(parameters.interval)
    writer.u16(parameters.latency)
    writer.u16(parameters.supervisionTimeout)
    writer.u32(0)
    order(0x200D, writer.octets)
  }

  mutating func disconnect(_ party: Party, _ reason: UInt8) {
    guard party == rendering.side else {
      end(reason)
      return
    }
    order(0x0406, handleOctets + [reason])
    // The controller that was told to end the link says so, whatever reason it passed on.
    end(0x16)
  }

  /// Disconnection Complete.
  mutating func end(_ reason: UInt8) {
    emit(.event, HCIEncoding.event(0x05, [0x00] + handleOctets + [reason]), after: 20_000)
  }

  var handleOctets: [UInt8] { [UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)] }

  mutating func updateParameters(_ interval: UInt16, _ latency: UInt16, _ timeout: UInt16, _ isAccepted: Bool) {
    let identifier = nextSignalIdentifier()
    let channel = LogicalLinkEncoding.signallingChannel
    send(
      central.other,
      channel,
      LogicalLinkEncoding.signal(0x12, identifier: identifier, [interval, interval, latency, timeout])
    )
    send(central, channel, LogicalLinkEncoding.signal(0x13, identifier: identifier, [isAccepted ? 0 : 1]))
    guard isAccepted else { return }
    var writer = ByteWriter(handleOctets)
    writer.u16(interval)
    if localRole == .central {
      var command = writer
      command.u16(interval)
      command.u16(latency)
      command.u16(timeout)
      command.u32(0)
      order(0x2013, command.octets)
    }
    writer.u16(latency)
    writer.u16(timeout)
    emit(.event, HCIEncoding.lowEnergyEvent(0x03, [0x00] + writer.octets), after: 60_000)
  }

  mutating func nextSignalIdentifier() -> UInt8 {
    link.signalIdentifier = link.signalIdentifier == 255 ? 1 : link.signalIdentifier + 1
    return link.signalIdentifier
  }
}
