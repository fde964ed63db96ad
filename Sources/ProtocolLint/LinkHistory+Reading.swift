import BluetoothWire
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

/// An error as messages have it: `0x05`.
func errorText(_ error: ATTError) -> String { "0x" + hex(UInt64(error.rawValue), digits: 2) }

/// Microseconds as messages have them: whole milliseconds below ten seconds, else seconds with one decimal.
func durationText(_ microseconds: Int64) -> String {
  let seconds = microseconds / 1_000_000
  if seconds < 10 { return "\(max(0, microseconds) / 1000) ms" }
  if seconds < 600 { return "\(seconds).\(microseconds / 100_000 % 10) s" }
  if seconds < 7_200 { return "\(seconds / 60) min" }
  return seconds < 172_800 ? "\(seconds / 3_600) h \(seconds / 60 % 60) min" : "\(seconds / 86_400) days"
}

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
