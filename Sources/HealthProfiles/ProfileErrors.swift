/// Names of the ATT error codes that a profile or service defines (0x80...0x9F) or that all share (0xE0...0xFF).
public enum ProfileErrors {
  /// Plain words for an application or common error code.
  ///
  /// The same octet of 0x80...0x9F means another thing in each service, so `service`, the 16-bit UUID of the service the
  /// handle belongs to, decides; without it, or where the service defines no such code, the words stay neutral.
  public static func profileErrorName(code: UInt8, service: UInt16?) -> String {
    switch (service, code) {
    case (_, 0xFC): "write request rejected"
    case (_, 0xFD): "CCCD improperly configured"
    case (_, 0xFE): "procedure already in progress"
    case (_, 0xFF): "out of range"
    case (0x1808, 0x80): "procedure already in progress"
    case (0x1808, 0x81): "CCCD improperly configured"
    case (0x181F, 0x80): "missing CRC"
    case (0x181F, 0x81), (0x183A, 0x81): "invalid CRC"
    case (0x183A, 0x82): "invalid counter"
    case (0x1809, 0x80): "out of range"
    case (0x180D, 0x80): "heart rate control point not supported"
    case (0x181C, 0x80): "user data access not permitted"
    case (0x1805, 0x80): "data field ignored"
    case (0x181E, 0x80): "op code not supported"
    case (0x181E, 0x81): "operation failed"
    default: "application error 0x" + hexOctet(code)
    }
  }
}
