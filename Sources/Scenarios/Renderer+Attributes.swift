import BluetoothWire
import CaptureFiles
import HealthProfiles

extension Renderer {
  mutating func performAttribute(_ step: Step) {
    switch step {
    case .mtuExchange(let client, let server):
      attribute(.collector, AttributeEncoding.exchangeMTURequest(client))
      attribute(.sensor, AttributeEncoding.exchangeMTUResponse(server))
      link.mtu = max(23, min(client, server))
    case .discovery:
      if !rendering.withoutDiscovery { discover() }
    case .reading(let target, let value):
      attribute(.collector, AttributeEncoding.readRequest(meter.handle(of: target)))
      attribute(.sensor, AttributeEncoding.readResponse(value ?? meter.value(of: target)))
    case .write(let target, let value):
      attribute(.collector, AttributeEncoding.writeRequest(meter.handle(of: target), value))
    case .writeCommand(let target, let value):
      link.timeOffset = nil
      attribute(.collector, AttributeEncoding.writeCommand(meter.handle(of: target), value))
    case .signedWriteCommand(let target, let value):
      link.timeOffset = nil
      attribute(.collector, AttributeEncoding.signedWriteCommand(meter.handle(of: target), value))
    case .prepareWrite(let target, let offset, let part):
      if target == .recordAccess { link.timeOffset = nil }
      let handle = meter.handle(of: target)
      attribute(.collector, AttributeEncoding.prepareWriteRequest(handle, offset: offset, part))
      attribute(.sensor, AttributeEncoding.prepareWriteResponse(handle, offset: offset, part))
    case .executeWrite(let writes): attribute(.collector, AttributeEncoding.executeWriteRequest(writes: writes))
    case .accept:
      let isExecution = link.request.opCode == ATTOpcode.executeWriteRequest.rawValue
      attribute(.sensor, isExecution ? AttributeEncoding.executeWriteResponse : AttributeEncoding.writeResponse)
    case .refuse(let error):
      let request = link.request
      attribute(
        .sensor,
        AttributeEncoding.errorResponse(to: request.opCode, handle: request.handle, error: error)
      )
    case .notify(let target, let value):
      attribute(.sensor, AttributeEncoding.notification(meter.handle(of: target), value))
    case .indicate(let target, let value):
      attribute(.sensor, AttributeEncoding.indication(meter.handle(of: target), value))
    case .confirm: attribute(.collector, AttributeEncoding.confirmation)
    case .storedRecord(let number, let withContext): record(number, withContext)
    case .attribute(let party, let octets):
      if !rendering.withoutDiscovery || !isDiscovery(octets) { attribute(party, octets) }
    default: return
    }
  }

  private mutating func record(_ number: UInt16, _ withContext: Bool) {
    let offset = meter.offset(of: number)
    var measurement = meter.measurement(number, withOffset: link.timeOffset != offset)
    link.timeOffset = offset
    measurement.contextFollows = measurement.contextFollows && withContext
    attribute(.sensor, AttributeEncoding.notification(meter.handle(of: .measurement), measurement.octets))
    if measurement.contextFollows {
      attribute(.sensor, AttributeEncoding.notification(meter.handle(of: .context), meter.context(number).octets))
    }
  }

  /// True for the requests that name handles, and for what answers them.
  private func isDiscovery(_ octets: [UInt8]) -> Bool {
    guard let opCode = octets.first else { return false }
    return switch opCode {
    case 0x04...0x09, 0x10, 0x11: true
    case 0x01: octets.count > 1 && [0x04, 0x06, 0x08, 0x10].contains(octets[1])
    default: false
    }
  }

  /// An ATT PDU over the selected bearer.
  mutating func attribute(_ party: Party, _ octets: [UInt8]) {
    if party == .collector, let opCode = octets.first, ATTOpcode(rawValue: opCode).role == .request {
      let handle = octets.count >= 3 ? UInt16(octets[1]) | UInt16(octets[2]) << 8 : 0
      link.request = (opCode, handle)
      if opCode == ATTOpcode.writeRequest.rawValue && handle == meter.handle(of: .recordAccess) {
        link.timeOffset = nil
      }
    }
    if let index = link.selectedBearer, link.bearers.indices.contains(index) {
      sendEnhanced(party, octets, bearer: index)
    } else {
      send(party, LogicalLinkEncoding.attributeChannel, octets)
    }
  }
}
