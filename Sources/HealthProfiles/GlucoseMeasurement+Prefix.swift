import BluetoothWire

extension GlucoseMeasurement {
  /// A measurement cut short, by a capture that clips packets or by a meter, decoded as far as the octets go.
  public struct Prefix: Hashable, Sendable {
    public var flags: UInt8?
    public var sequenceNumber: UInt16?
    public var baseTime: DateTime?
    public var timeOffset: Int16?
    public var concentration: GlucoseConcentration?
    public var type: GlucoseSampleType?
    public var location: GlucoseSampleLocation?
    public var annunciation: SensorStatusAnnunciation?
    /// How many octets the flags ask for beyond those that are there; 0 for a whole value.
    public var missing: Int

    /// Never fails: what is not there is nil.
    public init(decoding bytes: RawSpan) {
      let count = bytes.byteCount
      missing = 10
      guard count >= 1 else { return }
      let flags = bytes.u8(at: 0)
      self.flags = flags
      missing = max(0, GlucoseMeasurement.expectedLength(flags: flags) - count)
      if count >= 3 { sequenceNumber = bytes.u16(at: 1) }
      if count >= 10 { baseTime = DateTime(bytes, at: 3) }
      var offset = 10
      if flags & 0x01 != 0 {
        if count >= offset + 2 { timeOffset = Int16(bitPattern: bytes.u16(at: offset)) }
        offset += 2
      }
      if flags & 0x02 != 0 {
        if count >= offset + 2 {
          let unit: GlucoseUnit = flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre
          concentration = GlucoseConcentration(MedicalFloat16(word: bytes.u16(at: offset)), unit: unit)
        }
        if count >= offset + 3 {
          type = GlucoseSampleType(rawValue: bytes.u8(at: offset + 2) & 0x0F)
          location = GlucoseSampleLocation(rawValue: bytes.u8(at: offset + 2) >> 4)
        }
        offset += 3
      }
      if flags & 0x08 != 0, count >= offset + 2 {
        annunciation = SensorStatusAnnunciation(rawValue: bytes.u16(at: offset))
      }
    }
  }
}
