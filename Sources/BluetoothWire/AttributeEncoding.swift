/// Builds ATT PDUs (Core Vol 3 Part F 3.4).
public enum AttributeEncoding {
  /// Op code, then 16-bit fields, then octets.
  private static func pdu(_ opcode: ATTOpcode, _ fields: [UInt16], _ value: [UInt8] = []) -> [UInt8] {
    var writer = ByteWriter([opcode.rawValue])
    for field in fields { writer.u16(field) }
    writer.append(value)
    return writer.octets
  }

  /// Error Response: the refused request and handle and why (3.4.1.1).
  public static func errorResponse(to request: UInt8, handle: UInt16, error: UInt8) -> [UInt8] {
    var writer = ByteWriter([ATTOpcode.errorResponse.rawValue, request])
    writer.u16(handle)
    writer.u8(error)
    return writer.octets
  }

  /// Exchange MTU Request (3.4.2.1).
  public static func exchangeMTURequest(_ size: UInt16) -> [UInt8] { pdu(.exchangeMTURequest, [size]) }
  /// Exchange MTU Response (3.4.2.2).
  public static func exchangeMTUResponse(_ size: UInt16) -> [UInt8] { pdu(.exchangeMTUResponse, [size]) }

  /// Find Information Request for a range of handles (3.4.3.1).
  public static func findInformationRequest(_ first: UInt16, _ last: UInt16) -> [UInt8] {
    pdu(.findInformationRequest, [first, last])
  }

  /// Handles with types that all have two or all have sixteen octets.
  public static func findInformationResponse(_ entries: [(handle: UInt16, type: BluetoothUUID)]) -> [UInt8] {
    var writer = ByteWriter([ATTOpcode.findInformationResponse.rawValue])
    writer.u8(entries.first?.type.short == nil ? 0x02 : 0x01)
    for entry in entries {
      writer.u16(entry.handle)
      writer.append(entry.type.octets)
    }
    return writer.octets
  }

  /// Read By Type Request for a range of handles (3.4.4.1).
  public static func readByTypeRequest(_ first: UInt16, _ last: UInt16, type: BluetoothUUID) -> [UInt8] {
    pdu(.readByTypeRequest, [first, last], type.octets)
  }

  /// Read By Group Type Request for a range of handles (3.4.4.9).
  public static func readByGroupTypeRequest(_ first: UInt16, _ last: UInt16, type: BluetoothUUID) -> [UInt8] {
    pdu(.readByGroupTypeRequest, [first, last], type.octets)
  }

  /// A Read By Type or Read By Group Type Response: entries of one length, their handles first.
  public static func listResponse(_ opcode: ATTOpcode, _ entries: [[UInt8]]) -> [UInt8] {
    [opcode.rawValue, UInt8(clamping: entries.first?.count ?? 0)] + entries.flatMap { $0 }
  }

  /// Read Request (3.4.4.3).
  public static func readRequest(_ handle: UInt16) -> [UInt8] { pdu(.readRequest, [handle]) }
  /// Read Response (3.4.4.4).
  public static func readResponse(_ value: [UInt8]) -> [UInt8] { pdu(.readResponse, [], value) }

  /// Write Request (3.4.5.1).
  public static func writeRequest(_ handle: UInt16, _ value: [UInt8]) -> [UInt8] { pdu(.writeRequest, [handle], value) }
  /// Write Response (3.4.5.2).
  public static var writeResponse: [UInt8] { [ATTOpcode.writeResponse.rawValue] }
  /// Write Command (3.4.5.3).
  public static func writeCommand(_ handle: UInt16, _ value: [UInt8]) -> [UInt8] { pdu(.writeCommand, [handle], value) }

  /// Signed Write Command (3.4.5.4) with a signature of zeros.
  public static func signedWriteCommand(_ handle: UInt16, _ value: [UInt8]) -> [UInt8] {
    pdu(.signedWriteCommand, [handle], value + [UInt8](repeating: 0, count: 12))
  }

  /// Prepare Write Request: a part of a value, and where it begins (3.4.6.1).
  public static func prepareWriteRequest(_ handle: UInt16, offset: UInt16 = 0, _ part: [UInt8]) -> [UInt8] {
    pdu(.prepareWriteRequest, [handle, offset], part)
  }
  /// Prepare Write Response, which repeats the request (3.4.6.2).
  public static func prepareWriteResponse(_ handle: UInt16, offset: UInt16 = 0, _ part: [UInt8]) -> [UInt8] {
    pdu(.prepareWriteResponse, [handle, offset], part)
  }
  /// Execute Write Request: writes what is prepared, or cancels it (3.4.6.3).
  public static func executeWriteRequest(writes: Bool = true) -> [UInt8] {
    [ATTOpcode.executeWriteRequest.rawValue, writes ? 1 : 0]
  }
  /// Execute Write Response (3.4.6.4).
  public static var executeWriteResponse: [UInt8] { [ATTOpcode.executeWriteResponse.rawValue] }

  /// Handle Value Notification (3.4.7.1).
  public static func notification(_ handle: UInt16, _ value: [UInt8]) -> [UInt8] { pdu(.notification, [handle], value) }
  /// Handle Value Indication (3.4.7.2).
  public static func indication(_ handle: UInt16, _ value: [UInt8]) -> [UInt8] { pdu(.indication, [handle], value) }
  /// Handle Value Confirmation (3.4.7.3).
  public static var confirmation: [UInt8] { [ATTOpcode.confirmation.rawValue] }
}
