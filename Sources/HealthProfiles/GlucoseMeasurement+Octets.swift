public import BluetoothWire

extension GlucoseMeasurement {
  /// How many octets the flags announce: 10 + 2·b0 + 3·b1 + 2·b3.
  @inlinable public static func expectedLength(flags: UInt8) -> Int {
    10 + Int(flags & 0x01) << 1 + (flags & 0x02 == 0 ? 0 : 3) + Int(flags & 0x08) >> 2
  }

  /// Flags that agree with the fields, reserved bits as received.
  public var flags: UInt8 {
    var flags = reservedFlags & 0xE0
    if timeOffset != nil { flags |= 0x01 }
    if sample != nil { flags |= 0x02 }
    if unit == .molesPerLitre { flags |= 0x04 }
    if annunciation != nil { flags |= 0x08 }
    if contextFollows { flags |= 0x10 }
    return flags
  }

  /// Fails only where an announced field is missing; the error tells how many octets the flags ask for.
  public init(decoding bytes: RawSpan) throws(WireError) {
    let count = bytes.byteCount
    guard count >= 1 else { throw WireError(.characteristic, offset: 0, needed: 10, available: 0) }
    let flags = bytes.u8(at: 0)
    let expected = Self.expectedLength(flags: flags)
    guard count >= expected else {
      throw WireError(.characteristic, offset: count, needed: expected, available: count)
    }
    self.init(
      sequenceNumber: bytes.u16(at: 1),
      baseTime: DateTime(bytes, at: 3),
      unit: flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre,
      contextFollows: flags & 0x10 != 0,
      reservedFlags: flags & 0xE0
    )
    var offset = 10
    if flags & 0x01 != 0 {
      timeOffset = Int16(bitPattern: bytes.u16(at: offset))
      offset += 2
    }
    if flags & 0x02 != 0 {
      sample = Sample(
        concentration: MedicalFloat16(word: bytes.u16(at: offset)),
        typeAndLocation: bytes.u8(at: offset + 2)
      )
      offset += 3
    }
    if flags & 0x08 != 0 {
      annunciation = SensorStatusAnnunciation(rawValue: bytes.u16(at: offset))
      offset += 2
    }
    if offset < count { trailing = bytes.part(offset, count - offset).copied() }
  }

  /// The value as a meter sends it.
  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.u8(flags)
    writer.u16(sequenceNumber)
    writer.append(baseTime.octets)
    if let timeOffset { writer.u16(UInt16(bitPattern: timeOffset)) }
    if let sample {
      writer.u16(sample.concentration.word)
      writer.u8(sample.type.rawValue | sample.location.rawValue << 4)
    }
    if let annunciation { writer.u16(annunciation.rawValue) }
    writer.append(trailing)
    return writer.octets
  }
}

extension GlucoseMeasurement.Sample {
  /// Type in the low nibble, location in the high one.
  init(concentration: MedicalFloat16, typeAndLocation octet: UInt8) {
    self.init(
      concentration: concentration,
      type: GlucoseSampleType(rawValue: octet & 0x0F),
      location: GlucoseSampleLocation(rawValue: octet >> 4)
    )
  }
}
