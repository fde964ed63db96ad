import BluetoothWire
import HealthProfiles

extension FuzzEntry {
  /// The octets as the value of every characteristic there is; what decodes is encoded again.
  static let characteristics = FuzzEntry(
    name: "characteristics",
    run: { octets in
      measurements(octets) &+ recordAccess(octets) &+ deviceValues(octets) &+ numbers(octets)
    },
    seeds: {
      [
        ("measurement", [0x1B, 0x39, 0x30, 0xEA, 0x07, 3, 4, 7, 0x1E, 0, 0x3C, 0, 0x78, 0xB0, 0x11, 0, 0]),
        ("context", [0xDF, 0x39, 0x30, 0, 1, 0x1E, 0xD0, 1, 0x12, 0x2C, 1, 0x50, 5, 0x0A, 0xD0, 0x41, 0xF0]),
        ("report-range", [0x01, 0x04, 0x01, 0x01, 0x00, 0x09, 0x00]),
        ("report-time", [0x01, 0x03, 0x02, 0xEA, 0x07, 0x03, 0x04, 0x07, 0x1E, 0x00]),
        ("result", [0x06, 0x00, 0x01, 0x01]), ("number", [0x05, 0x00, 0xF4, 0x01]), ("abort", [0x03, 0x00]),
        ("insulin", [0x33, 0x55, 0x0F, 0x01, 0x00, 0x00, 0x00]),
        ("current-time", [0xEA, 0x07, 0x03, 0x04, 0x08, 0x00, 0x00, 0x03, 0x80, 0x01]),
        ("pnp", [0x01, 0x0D, 0x00, 0x01, 0x00, 0x10, 0x01]), ("system", [0xFE, 0xFF, 0x53, 0x5E, 0x00, 0, 0, 0]),
      ]
    }
  )

  private static func measurements(_ octets: [UInt8]) -> Int {
    let bytes = unsafe octets.span.bytes
    var seen = 0
    if let value = try? GlucoseMeasurement(decoding: bytes) {
      precondition(octets.starts(with: value.octets), "a measurement must encode as it was")
      seen += (value.userFacingTime(offsetInForce: .min)?.description ?? "").utf8.count
      if let concentration = value.concentration {
        seen += concentration.text(in: .milligramsPerDecilitre).utf8.count
        seen += concentration.text(in: .millimolesPerLitre).utf8.count
      }
    }
    if let value = try? GlucoseMeasurementContext(decoding: bytes) {
      precondition(octets.starts(with: value.octets), "a context must encode as it was")
      seen += value.octets.count
    }
    seen += GlucoseMeasurement.Prefix(decoding: bytes).sequenceNumber == nil ? 0 : 1
    seen += GlucoseMeasurement.looksLikeMeasurement(bytes) ? 1 : 0
    seen += GlucoseMeasurementContext.looksLikeContext(bytes) ? 1 : 0
    return seen
  }

  private static func recordAccess(_ octets: [UInt8]) -> Int {
    let bytes = unsafe octets.span.bytes
    var seen = 0
    for dialect in [RecordAccessDialect.health, .insulinDelivery] {
      let request = RecordAccessRequest(octets: octets, dialect: dialect)
      let response = RecordAccessResponse(octets: octets, dialect: dialect)
      precondition(request.octets == octets && response.octets == octets, "unknown codes must survive")
      seen += String(describing: request).utf8.count + String(describing: response).utf8.count
      // In insulin delivery the same selection has other forms: filters, and a counter and CRC at the end.
      if request.isWellFormed, dialect == .health, let selection = request.selection {
        let again = RecordAccessRequest(request.opCode, selection, dialect: dialect)
        precondition(again.octets == octets, "a well formed request must encode as it was")
      }
      if octets.count >= 4 {
        let number = UInt32(octets[0]) | UInt32(octets[1]) << 8 | UInt32(octets[2]) << 16 | UInt32(octets[3]) << 24
        seen += request.matches(sequenceNumber: number) == true ? 1 : 0
      }
      seen += RecordAccessRequest.looksLikeRequest(bytes, dialect: dialect) ? 1 : 0
      seen += RecordAccessResponse.looksLikeResponse(bytes, dialect: dialect) ? 1 : 0
    }
    return seen
  }

  private static func deviceValues(_ octets: [UInt8]) -> Int {
    let bytes = unsafe octets.span.bytes
    var text = String(describing: DeviceInformationString(decoding: bytes))
    if let value = try? BatteryLevel(decoding: bytes) { text += String(describing: value) }
    if let value = try? CurrentTime(decoding: bytes) { text += String(describing: value) }
    if let value = try? GlucoseFeature(decoding: bytes) { text += String(describing: value) }
    if let value = try? PnPID(decoding: bytes) { text += String(describing: value) }
    if let value = try? SystemID(decoding: bytes) { text += String(describing: value) }
    if let value = try? DateTime(decoding: bytes) {
      text += value.description
      if let later = value.adding(minutes: Int(Int16.min)) { text += later.description }
    }
    return text.utf8.count
  }

  private static func numbers(_ octets: [UInt8]) -> Int {
    let bytes = unsafe octets.span.bytes
    var seen = 0
    for scale in [-6, 0, 5] {
      if let value = try? MedicalFloat16(decoding: bytes) {
        seen += value.decimalText(scaledBy10ToThe: scale).utf8.count
      }
      if let value = try? MedicalFloat32(decoding: bytes) {
        seen += value.decimalText(scaledBy10ToThe: scale).utf8.count
      }
    }
    return seen
  }
}
