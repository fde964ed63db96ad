import BluetoothWire
import HealthProfiles
import LinkTrace

/// Short ways to what the rules ask of a PDU by its index.
extension LinkHistory {
  func frame(_ index: UInt32) -> UInt32 { pdus[Int(index)].frame }

  func time(_ index: UInt32) -> Int64 { pdus[Int(index)].time }

  /// The code of an Error Response; 0 where the logger kept too little of it.
  func errorCode(_ index: UInt32) -> ATTError {
    let pdu = pdus[Int(index)]
    guard pdu.opcode == .errorResponse, pdu.valueCount >= 4 else { return ATTError(rawValue: 0) }
    return ATTError(rawValue: value(pdu).u8(at: 3))
  }

  /// What an attribute is called in a message: its characteristic, else its handle.
  func attributeName(_ pdu: AttributePDU) -> String {
    switch role(pdu) {
    case .glucoseMeasurement: return "measurement"
    case .glucoseContext: return "context"
    case .glucoseFeature: return "feature"
    case .recordAccess, .insulinRecordAccess: return "control point"
    case .subscription: return "CCCD 0x" + hex(UInt64(pdu.handle), digits: 4)
    default: return "handle 0x" + hex(UInt64(pdu.handle), digits: 4)
    }
  }
}

/// One octet as messages have it: `0xFD`.
func codeText(_ code: UInt8) -> String { "0x" + hex(UInt64(code), digits: 2) }

/// Octets as messages have them: `060001FF`. Fingerprints keep the lower case.
func octetText(_ octets: some Sequence<UInt8>) -> String { octets.map { hex(UInt64($0), digits: 2) }.joined() }

/// An error by its code alone: `0x05`.
func errorText(_ error: ATTError) -> String { codeText(error.rawValue) }

/// An error as messages have it: `0x05 (insufficient authentication)`.
///
/// - Parameter isGlucose: true where 0x80 and 0x81 are those of the glucose service (GLS 1.7); each service gives them a
///   meaning of its own.
func refusalText(_ error: ATTError, isGlucose: Bool = true) -> String {
  let isServices = isGlucose && (error.rawValue == 0x80 || error.rawValue == 0x81)
  let service = ProfileErrors.profileErrorName(code: error.rawValue, service: 0x1808)
  let name = error.name ?? (isServices ? service : nil)
  return errorText(error) + (name.map { " (\($0))" } ?? "")
}

/// Microseconds as messages have them: whole milliseconds below ten seconds, else seconds with one decimal.
func durationText(_ microseconds: Int64) -> String {
  let seconds = microseconds / 1_000_000
  if seconds < 10 { return "\(max(0, microseconds) / 1000) ms" }
  if seconds < 600 { return "\(seconds).\(microseconds / 100_000 % 10) s" }
  if seconds < 7_200 { return "\(seconds / 60) min" }
  return seconds < 172_800 ? "\(seconds / 3_600) h \(seconds / 60 % 60) min" : "\(seconds / 86_400) days"
}

extension RecordAccessRequest {
  /// As messages quote it: `"report ≥ 31"`, `the malformed request 0103050100`.
  var quoted: String { defect == nil ? "\"" + summary + "\"" : "the malformed request " + octetText(octets) }
}

/// The article before a name: `a`, `an`.
func article(_ name: String) -> String { name.first.map { "AEIOUaeiou".contains($0) } ?? false ? "an" : "a" }

/// `once`, `3 times`.
func timesText(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

/// `1 record`, `12 records`.
func countText(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Sequence numbers: `31–34`, `13, 15–19`; of more than six ranges the first five: `1, 3, 5, 7, 9 and 4 ranges more`.
func rangesText(_ ranges: [ClosedRange<UInt32>]) -> String {
  let shown = ranges.prefix(ranges.count > 6 ? 5 : 6).map {
    $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
  }
  let left = ranges.count - shown.count
  return shown.joined(separator: ", ") + (left > 0 ? " and \(left) ranges more" : "")
}
