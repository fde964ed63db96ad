/// The op code octet of an ATT PDU (Core Vol 3 Part F 3.4.8); an unknown one keeps its number.
@frozen public struct ATTOpcode: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8

  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  @inlinable init(_ rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable public static var errorResponse: ATTOpcode { ATTOpcode(0x01) }
  @inlinable public static var exchangeMTURequest: ATTOpcode { ATTOpcode(0x02) }
  @inlinable public static var exchangeMTUResponse: ATTOpcode { ATTOpcode(0x03) }
  @inlinable public static var findInformationRequest: ATTOpcode { ATTOpcode(0x04) }
  @inlinable public static var findInformationResponse: ATTOpcode { ATTOpcode(0x05) }
  @inlinable public static var findByTypeValueRequest: ATTOpcode { ATTOpcode(0x06) }
  @inlinable public static var findByTypeValueResponse: ATTOpcode { ATTOpcode(0x07) }
  @inlinable public static var readByTypeRequest: ATTOpcode { ATTOpcode(0x08) }
  @inlinable public static var readByTypeResponse: ATTOpcode { ATTOpcode(0x09) }
  @inlinable public static var readRequest: ATTOpcode { ATTOpcode(0x0A) }
  @inlinable public static var readResponse: ATTOpcode { ATTOpcode(0x0B) }
  @inlinable public static var readBlobRequest: ATTOpcode { ATTOpcode(0x0C) }
  @inlinable public static var readBlobResponse: ATTOpcode { ATTOpcode(0x0D) }
  @inlinable public static var readMultipleRequest: ATTOpcode { ATTOpcode(0x0E) }
  @inlinable public static var readMultipleResponse: ATTOpcode { ATTOpcode(0x0F) }
  @inlinable public static var readByGroupTypeRequest: ATTOpcode { ATTOpcode(0x10) }
  @inlinable public static var readByGroupTypeResponse: ATTOpcode { ATTOpcode(0x11) }
  @inlinable public static var writeRequest: ATTOpcode { ATTOpcode(0x12) }
  @inlinable public static var writeResponse: ATTOpcode { ATTOpcode(0x13) }
  @inlinable public static var prepareWriteRequest: ATTOpcode { ATTOpcode(0x16) }
  @inlinable public static var prepareWriteResponse: ATTOpcode { ATTOpcode(0x17) }
  @inlinable public static var executeWriteRequest: ATTOpcode { ATTOpcode(0x18) }
  @inlinable public static var executeWriteResponse: ATTOpcode { ATTOpcode(0x19) }
  @inlinable public static var notification: ATTOpcode { ATTOpcode(0x1B) }
  @inlinable public static var indication: ATTOpcode { ATTOpcode(0x1D) }
  @inlinable public static var confirmation: ATTOpcode { ATTOpcode(0x1E) }
  @inlinable public static var readMultipleVariableRequest: ATTOpcode { ATTOpcode(0x20) }
  @inlinable public static var readMultipleVariableResponse: ATTOpcode { ATTOpcode(0x21) }
  @inlinable public static var multipleNotification: ATTOpcode { ATTOpcode(0x23) }
  @inlinable public static var writeCommand: ATTOpcode { ATTOpcode(0x52) }
  @inlinable public static var signedWriteCommand: ATTOpcode { ATTOpcode(0xD2) }

  /// True for a write that gets no answer: Write Command and Signed Write Command (Core Vol 3 Part F 3.4.5.3, 3.4.5.4).
  public var isWriteCommand: Bool { self == .writeCommand || self == .signedWriteCommand }

  /// True for what has a value written at once: a Write Request, the execution of prepared writes, a command.
  @inlinable public var writesValue: Bool {
    self == .writeRequest || self == .executeWriteRequest || self == .writeCommand || self == .signedWriteCommand
  }

  /// True for the answers that say that a value is written: to a Write Request, and to the execution of prepared writes
  /// (Core Vol 3 Part F 3.4.5.2, 3.4.6.4).
  public var saysWritten: Bool { self == .writeResponse || self == .executeWriteResponse }

  /// What the PDU is to the exchange it belongs to.
  public var role: Role {
    switch rawValue {
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: .response
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: .request
    case 0x1B, 0x23: .notification
    case 0x1D: .indication
    case 0x1E: .confirmation
    default: rawValue & 0x40 != 0 ? .command : .unknown
    }
  }

  /// The kinds of PDU (Core Vol 3 Part F 3.3).
  public enum Role: UInt8, Sendable {
    case request, response, notification, indication, confirmation, command, unknown
  }

  /// The name the specification gives the PDU.
  public var name: String { Self.names[Int(rawValue)] ?? "op code 0x" + hex(UInt64(rawValue), digits: 2) }

  private static let names: [Int: String] = [
    0x01: "Error Response", 0x02: "Exchange MTU Request", 0x03: "Exchange MTU Response",
    0x04: "Find Information Request", 0x05: "Find Information Response", 0x06: "Find By Type Value Request",
    0x07: "Find By Type Value Response", 0x08: "Read By Type Request", 0x09: "Read By Type Response",
    0x0A: "Read Request", 0x0B: "Read Response", 0x0C: "Read Blob Request", 0x0D: "Read Blob Response",
    0x0E: "Read Multiple Request", 0x0F: "Read Multiple Response", 0x10: "Read By Group Type Request",
    0x11: "Read By Group Type Response", 0x12: "Write Request", 0x13: "Write Response",
    0x16: "Prepare Write Request", 0x17: "Prepare Write Response", 0x18: "Execute Write Request",
    0x19: "Execute Write Response", 0x1B: "Notification", 0x1D: "Indication", 0x1E: "Confirmation",
    0x20: "Read Multiple Variable Request", 0x21: "Read Multiple Variable Response",
    0x23: "Multiple Notification", 0x52: "Write Command", 0xD2: "Signed Write Command",
  ]
}
