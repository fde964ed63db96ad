/// The L2CAP PDU being put together in one direction of a link.
struct Reassembly: Sendable {
  /// Octets the PDU has in all, its header included; 0 while none is open.
  var expected = 0
  /// Octets of continuation fragments that belong to a PDU already given up as clipped.
  var skipping = 0
  var buffer: [UInt8] = []
  /// True once a start fragment was seen: a continuation before it is the normal start in mid-stream.
  var hasStarted = false

  /// True while fragments of a PDU are still to come, whether they are kept or passed over.
  var isOpen: Bool { expected > 0 || skipping > 0 }

  /// Octets still to come of the PDU that is open, whether they are kept or passed over; nil where that is not known.
  var lacking: Int? {
    if skipping > 0 { return skipping == .max ? nil : skipping }
    return expected > 0 && expected != .max ? expected - buffer.count : nil
  }

  /// Drops the PDU that is open.
  mutating func giveUp() {
    expected = 0
    skipping = 0
  }

  mutating func reset() {
    giveUp()
    hasStarted = false
    buffer.removeAll(keepingCapacity: true)
  }
}
