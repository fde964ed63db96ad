import BluetoothWire

/// Records of a link that belong to no procedure of the capture: it began in the middle of one, or they came unasked.
public struct StrayRecords: Sendable, Equatable {
  public var count: UInt32 = 0
  public var sequences = SequenceSet()
  /// Base times as in `Procedure`.
  public var earliest = PackedTime.none
  public var latest: UInt64 = 0
  public var firstFrame: UInt32 = 0
  public var lastFrame: UInt32 = 0

  public init() {}

  mutating func take(_ pdu: AttributePDU, _ value: RawSpan, isMeasurement: Bool) {
    count += 1
    if firstFrame == 0 { firstFrame = pdu.frame }
    lastFrame = pdu.frame
    guard isMeasurement, value.byteCount >= 3 else { return }
    sequences.insert(UInt32(value.u16(at: 1)))
    guard value.byteCount >= 10 else { return }
    let packed = PackedTime.baseTime(of: value)
    guard PackedTime.isPlausible(packed) else { return }
    earliest = min(earliest, packed)
    latest = max(latest, packed)
  }
}
