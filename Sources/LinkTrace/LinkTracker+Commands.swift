import BluetoothWire
import CaptureFiles

extension LinkTracker {
  /// Reads a command the host sent (Core Vol 4 Part E 7).
  mutating func command(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.byteCount >= 3 else { return }
    let count = bytes.byteCount - 3
    switch bytes.u16(at: 0) {
    case 0x0406 where count >= 3:
      event(frame, handle: bytes.u16(at: 3), .disconnectCommand, code: bytes.u8(at: 5))
    case 0x2005 where count >= 6:
      let position = adapter(frame.adapter)
      adapters[position].randomAddress = DeviceAddress(bytes, at: 3, isRandom: true)
    case 0x2006 where count >= 6: adapters[adapter(frame.adapter)].advertisesAsRandom = bytes.u8(at: 8) & 1 == 1
    case 0x2036 where count >= 11, 0x207F where count >= 11:
      adapters[adapter(frame.adapter)].advertisesAsRandom = bytes.u8(at: 13) & 1 == 1
    case 0x200D where count >= 13: adapters[adapter(frame.adapter)].connectsAsRandom = bytes.u8(at: 15) & 1 == 1
    case 0x2043 where count >= 2, 0x2085 where count >= 4:
      // Own_Address_Type: 1 and 3 are a random address (Core Vol 4 Part E 7.8.12, 7.8.66).
      let place = bytes.u16(at: 0) == 0x2043 ? 4 : 6
      adapters[adapter(frame.adapter)].connectsAsRandom = bytes.u8(at: place) & 1 == 1
    case 0x2035 where count >= 7:
      // LE Set Advertising Set Random Address (Core Vol 4 Part E 7.8.52).
      let position = adapter(frame.adapter)
      adapters[position].advertisingAddress = DeviceAddress(bytes, at: 4, isRandom: true)
    case 0x2008 where count >= 1, 0x2009 where count >= 1: advertises(frame, bytes, at: 4)
    case 0x2037 where count >= 4, 0x2038 where count >= 4: advertises(frame, bytes, at: 7)
    case 0x2013 where count >= 10:
      event(frame, handle: bytes.u16(at: 3), .connectionUpdateCommand, value: bytes.u64(at: 5))
    case 0x2019 where count >= 12:
      let hasIdentifier = bytes.u64(at: 5) != 0 || bytes.u16(at: 13) != 0
      event(frame, handle: bytes.u16(at: 3), .startEncryption, value: hasIdentifier ? 1 : 0)
    case 0x201A where count >= 2:
      event(frame, handle: bytes.u16(at: 3), .longTermKeyReply)
    case 0x201B where count >= 2:
      event(frame, handle: bytes.u16(at: 3), .longTermKeyNegativeReply)
    case 0x2027 where count >= 23:
      // LE Add Device To Resolving List: peer identity address and the peer's identity key.
      let address = DeviceAddress(bytes, at: 4, isRandom: bytes.u8(at: 3) & 1 == 1)
      memory.learn(key: bytes.extracting(10..<26).copied(), of: address)
    default: return
    }
  }

  /// Advertising or scan response data, the octet before their beginning is their length.
  private mutating func advertises(_ frame: CapturedFrame, _ bytes: RawSpan, at start: Int) {
    guard start <= bytes.byteCount else { return }
    let end = min(bytes.byteCount, start + Int(bytes.u8(at: start - 1)))
    let data = bytes.extracting(start..<end)
    let position = adapter(frame.adapter)
    if AdvertisedNames.namesHealth(data) { adapters[position].offersHealth = true }
    if AdvertisedNames.namesOthersOnly(data) { adapters[position].offersOthersOnly = true }
    if let name = AdvertisedNames.name(in: data), name.count >= adapters[position].ownName.count {
      adapters[position].ownName = name
    }
  }

  mutating func event(
    _ frame: CapturedFrame,
    handle: UInt16,
    _ kind: LinkEvent.Kind,
    code: UInt8 = 0,
    value: UInt64 = 0
  ) {
    guard let slot = slot(frame.adapter, handle) else { return }
    catchUp(slot)
    links[slot].touch(frame.number, frame.time)
    mark(slot)
    links[slot].note(
      LinkEvent(
        kind,
        frame: frame.number,
        time: frame.time,
        isReceived: frame.kind == .event,
        code: code,
        value: value
      )
    )
  }
}
