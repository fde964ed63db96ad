import BluetoothWire
import HealthProfiles
import LinkTrace

/// Says the value of a known characteristic or descriptor in a few words.
enum ValueText {
  /// Nil where the type is not known or the octets do not fit it.
  static func text(_ value: RawSpan, type: UInt16?, role: AttributeRole, isClipped: Bool) -> String? {
    switch role {
    case .glucoseMeasurement: return measurement(value, isClipped: isClipped)
    case .glucoseContext: return context(value)
    case .recordAccess: return recordAccess(value, .health, isClipped)
    case .insulinRecordAccess: return recordAccess(value, .insulinDelivery, isClipped)
    case .subscription: return subscription(value)
    default: break
    }
    switch type {
    case 0x2A18: return measurement(value, isClipped: isClipped)
    case 0x2A34: return context(value)
    case 0x2A51: return (try? GlucoseFeature(decoding: value)).map { $0.names.joined(separator: ", ") }
    case 0x2A19: return (try? BatteryLevel(decoding: value)).map { "\($0.percent) %" }
    case 0x2A08 where value.byteCount >= 7, 0x2A2B where value.byteCount >= 7: return DateTime(value, at: 0).description
    case 0x2A00, 0x2A24, 0x2A25, 0x2A26, 0x2A27, 0x2A28, 0x2A29:
      return "\"" + TextEscaping.terminal(value.copied()) + "\""
    case 0x2902: return subscription(value)
    default: return nil
    }
  }

  private static func measurement(_ value: RawSpan, isClipped: Bool) -> String? {
    var output = OutputBuffer()
    return write(measurement: value, isClipped: isClipped, to: &output) ? output.text : nil
  }

  /// Writes a measurement in words.
  ///
  /// - Returns: false, and nothing is written, where the octets do not fit one.
  static func write(measurement value: RawSpan, isClipped: Bool, to output: inout OutputBuffer) -> Bool {
    var row = RecordRow()
    row.isClipped = isClipped
    row.decodeMeasurement(value)
    guard row.hasSequence else { return false }
    output.append("measurement #")
    output.append(decimal: row.sequence)
    if row.hasBaseTime {
      output.append(" ")
      output.append(plain: row.baseTime)
    }
    if row.hasOffset {
      output.append(row.offset < 0 ? " (" : " (+")
      output.append(decimal: row.offset)
      output.append(" min)")
    }
    if row.hasConcentration {
      output.append(" ")
      output.append(row.concentrationText.description)
    }
    if row.hasType {
      output.append(" ")
      output.append(row.location.name)
    }
    if row.annunciation != 0 {
      for name in SensorStatusAnnunciation(rawValue: row.annunciation).names {
        output.append(", ")
        output.append(name)
      }
    }
    if value.u8(at: 0) & 0x10 != 0 { output.append(", context follows") }
    if row.undecodedFrom < value.byteCount {
      output.append(", undecoded ")
      output.append(hexOctetsOf: value.extracting(row.undecodedFrom..<value.byteCount))
    }
    return true
  }

  private static func context(_ value: RawSpan) -> String? {
    guard let context = RecordContext(value) else {
      return value.byteCount >= 3 ? "context #\(value.u16(at: 1))" : nil
    }
    let parts = context.summary
    return "context #\(context.value.sequenceNumber)" + (parts.isEmpty ? "" : " " + parts.joined(separator: ", "))
  }

  private static func recordAccess(_ value: RawSpan, _ dialect: RecordAccessDialect, _ isClipped: Bool) -> String? {
    guard value.byteCount > 0, !isClipped else { return nil }
    let opCode = RecordAccessOpCode(value.u8(at: 0), dialect: dialect)
    switch opCode {
    case .response, .countResponse: return RecordAccessResponse(decoding: value, dialect: dialect).summary
    default: return RecordAccessRequest(decoding: value, dialect: dialect).summary
    }
  }

  private static func subscription(_ value: RawSpan) -> String? {
    guard value.byteCount == 2 else { return nil }
    switch value.u16(at: 0) {
    case 0: return "off"
    case 1: return "notifications on"
    case 2: return "indications on"
    case 3: return "notifications and indications on"
    default: return nil
    }
  }
}
