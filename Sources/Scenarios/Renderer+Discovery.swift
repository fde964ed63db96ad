import BluetoothWire
import CaptureFiles

extension Renderer {
  /// Services, then each service's characteristics, then the descriptors (Core Vol 3 Part G 4.4.1, 4.6.1, 4.7.1).
  mutating func discover() {
    let services = meter.services
    list(
      services.map { ($0.first, $0.last, octets([$0.first, $0.last]) + $0.type.octets) },
      from: 0x0001,
      to: 0xFFFF,
      type: 0x2800,
      request: AttributeEncoding.readByGroupTypeRequest,
      response: .readByGroupTypeResponse
    )
    for service in services {
      let entries = service.characteristics.map { characteristic in
        (
          characteristic.declaration, characteristic.declaration,
          octets([characteristic.declaration]) + [characteristic.properties] + octets([characteristic.value])
            + characteristic.type.octets
        )
      }
      list(
        entries,
        from: service.first,
        to: service.last,
        type: 0x2803,
        request: AttributeEncoding.readByTypeRequest,
        response: .readByTypeResponse
      )
    }
    for descriptor in services.flatMap(\.characteristics).flatMap(\.descriptors) {
      attribute(.collector, AttributeEncoding.findInformationRequest(descriptor.handle, descriptor.handle))
      attribute(.sensor, AttributeEncoding.findInformationResponse([descriptor]))
    }
  }

  /// Asks until the range is used up; the last request finds nothing.
  private mutating func list(
    _ entries: [(first: UInt16, last: UInt16, octets: [UInt8])],
    from first: UInt16,
    to last: UInt16,
    type: UInt16,
    request: (UInt16, UInt16, BluetoothUUID) -> [UInt8],
    response: ATTOpcode
  ) {
    let room = Int(min(link.mtu, 255)) - 2
    var next = first
    var rest = entries[...]
    while true {
      attribute(.collector, request(next, last, BluetoothUUID(type)))
      guard let head = rest.first else {
        attribute(
          .sensor,
          AttributeEncoding.errorResponse(
            to: link.request.opCode,
            handle: next,
            error: ATTError.attributeNotFound.rawValue
          )
        )
        return
      }
      let batch = rest.prefix(max(1, room / max(1, head.octets.count)))
      attribute(.sensor, AttributeEncoding.listResponse(response, batch.map(\.octets)))
      rest = rest.dropFirst(batch.count)
      guard let end = batch.last?.last, end < last else { return }
      next = end + 1
    }
  }

  private func octets(_ handles: [UInt16]) -> [UInt8] {
    handles.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
