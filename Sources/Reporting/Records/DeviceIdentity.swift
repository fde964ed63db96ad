public import BluetoothWire
public import LinkTrace

/// Which device the records of a link belong to, and what it is called.
public enum DeviceIdentity {
  /// The address of the sensor's side; nil where the capture does not show it.
  public static func address(of history: borrowing LinkHistory) -> DeviceAddress? {
    history.presumedDevice == .local ? history.localAddress : history.peerIdentity
  }

  /// What the device calls itself, as it stood on the air: advertised, else read as Device Name, else manufacturer and
  /// model; nil where nothing tells.
  public static func name(of history: borrowing LinkHistory, from tracker: borrowing LinkTracker) -> [UInt8]? {
    advertisedName(of: history, from: tracker) ?? readName(of: history)
  }

  /// The name under which the device advertised, as it stood on the air; nil where the capture does not show it.
  public static func advertisedName(
    of history: borrowing LinkHistory,
    from tracker: borrowing LinkTracker
  ) -> [UInt8]? {
    if let address = address(of: history) {
      if let name = tracker.memory.names[address] ?? tracker.advertisedName(of: address) { return name }
    }
    guard history.presumedDevice == .remote, let peer = history.start?.peer else { return nil }
    return tracker.memory.names[peer] ?? tracker.advertisedName(of: peer)
  }

  /// What was read of the device on the link as its name, else as its manufacturer and model; nil where neither was.
  public static func readName(of history: borrowing LinkHistory) -> [UInt8]? {
    let side = history.presumedDevice
    if let name = value(0x2A00, side, history) { return name }
    guard let model = value(0x2A24, side, history) else { return nil }
    guard let manufacturer = value(0x2A29, side, history) else { return model }
    return manufacturer + [0x20] + model
  }

  /// The octets of a text characteristic of one side as they were read, without a closing zero; nil where they were not.
  public static func value(_ type: UInt16, _ side: Side, _ history: borrowing LinkHistory) -> [UInt8]? {
    let handle = history.database(side).value(type)?.handle
    for pdu in history.pdus {
      guard pdu.server == side, !pdu.isClipped, !pdu.isValueDropped else { continue }
      if pdu.opcode == .readResponse, let handle, pdu.handle == handle {
        return text(history.value(pdu).copied())
      }
      guard pdu.opcode == .readByTypeResponse, pdu.partner != AttributePDU.none, pdu.valueCount > 3 else { continue }
      let question = history.pdus[Int(pdu.partner)]
      let asked = history.value(question)
      let answer = history.value(pdu)
      guard asked.byteCount == 4, asked.u16(at: 2) == type, Int(answer.u8(at: 0)) >= 3 else { continue }
      return text(answer.extracting(3..<min(answer.byteCount, 1 + Int(answer.u8(at: 0)))).copied())
    }
    return nil
  }

  private static func text(_ octets: [UInt8]) -> [UInt8]? {
    let end = octets.firstIndex(of: 0) ?? octets.count
    return end == 0 ? nil : Array(octets[..<end])
  }
}
