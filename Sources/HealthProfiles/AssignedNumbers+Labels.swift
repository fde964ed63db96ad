extension AssignedNumbers {
  /// A short lower-case label for listings: `measurement`, `context`, `record access`, `feature`.
  ///
  /// The name of the service is left to the context; nil where the full name is short enough or none is listed.
  public static func label(_ short: UInt16) -> String? {
    switch short {
    case 0x2902: "configuration"
    case 0x2A18, 0x2A35, 0x2A37, 0x2AA7, 0x2A1C, 0x2A9D, 0x2A9C: "measurement"
    case 0x2A34: "context"
    case 0x2A51, 0x2A49, 0x2AA8, 0x2A60, 0x2A9E, 0x2A9B, 0x2B23: "feature"
    case 0x2A52, 0x2B27: "record access"
    case 0x2A5E: "spot-check"
    case 0x2A5F: "continuous"
    case 0x2AA9: "status"
    case 0x2AAA: "session start"
    case 0x2AAB: "session run time"
    case 0x2AAC: "specific ops"
    case 0x2A24: "model"
    case 0x2A25: "serial number"
    case 0x2A26: "firmware"
    case 0x2A27: "hardware"
    case 0x2A28: "software"
    case 0x2A29: "manufacturer"
    case 0x2A19: "battery"
    case 0x2A2B: "clock"
    case 0x2B20: "status changed"
    case 0x2B21: "status"
    case 0x2B22: "annunciation"
    case 0x2B24: "status reader"
    case 0x2B25: "command"
    case 0x2B26: "command data"
    case 0x2B28: "history"
    default: nil
    }
  }
}
