extension AssignedNumbers {
  /// The name of a characteristic, declaration or descriptor, nil where it is not listed.
  public static func attributeName(_ short: UInt16) -> String? {
    switch short {
    case 0x2800...0x29FF: declarationOrDescriptorName(short)
    default: characteristicName(short)
    }
  }

  /// The name of a characteristic, nil where it is not listed.
  public static func characteristicName(_ short: UInt16) -> String? {
    switch short {
    case 0x2A05: "Service Changed"
    case 0x2A08: "Date Time"
    case 0x2A0A: "Day Date Time"
    case 0x2A0C: "Exact Time 256"
    case 0x2A0D: "DST Offset"
    case 0x2A0E: "Time Zone"
    case 0x2A0F: "Local Time Information"
    case 0x2A14: "Reference Time Information"
    case 0x2A18: "Glucose Measurement"
    case 0x2A19: "Battery Level"
    case 0x2A1C: "Temperature Measurement"
    case 0x2A1D: "Temperature Type"
    case 0x2A1E: "Intermediate Temperature"
    case 0x2A21: "Measurement Interval"
    case 0x2A23: "System ID"
    case 0x2A24: "Model Number String"
    case 0x2A25: "Serial Number String"
    case 0x2A26: "Firmware Revision String"
    case 0x2A27: "Hardware Revision String"
    case 0x2A28: "Software Revision String"
    case 0x2A29: "Manufacturer Name String"
    case 0x2A2A: "IEEE 11073-20601 Regulatory Certification Data List"
    case 0x2A2B: "Current Time"
    case 0x2A34: "Glucose Measurement Context"
    case 0x2A35: "Blood Pressure Measurement"
    case 0x2A36: "Intermediate Cuff Pressure"
    case 0x2A37: "Heart Rate Measurement"
    case 0x2A38: "Body Sensor Location"
    case 0x2A39: "Heart Rate Control Point"
    case 0x2A49: "Blood Pressure Feature"
    case 0x2A50: "PnP ID"
    case 0x2A51: "Glucose Feature"
    case 0x2A52: "Record Access Control Point"
    case 0x2A5E: "PLX Spot-Check Measurement"
    case 0x2A5F: "PLX Continuous Measurement"
    case 0x2A60: "PLX Features"
    case 0x2A99: "Database Change Increment"
    case 0x2A9A: "User Index"
    case 0x2A9B: "Body Composition Feature"
    case 0x2A9C: "Body Composition Measurement"
    case 0x2A9D: "Weight Measurement"
    case 0x2A9E: "Weight Scale Feature"
    case 0x2A9F: "User Control Point"
    case 0x2AA4: "Bond Management Control Point"
    case 0x2AA5: "Bond Management Feature"
    case 0x2AA6: "Central Address Resolution"
    case 0x2AA7: "CGM Measurement"
    case 0x2AA8: "CGM Feature"
    case 0x2AA9: "CGM Status"
    case 0x2AAA: "CGM Session Start Time"
    case 0x2AAB: "CGM Session Run Time"
    case 0x2AAC: "CGM Specific Ops Control Point"
    case 0x2B1D: "RC Feature"
    case 0x2B1E: "RC Settings"
    case 0x2B1F: "Reconnection Configuration Control Point"
    case 0x2B20: "IDD Status Changed"
    case 0x2B21: "IDD Status"
    case 0x2B22: "IDD Annunciation Status"
    case 0x2B23: "IDD Features"
    case 0x2B24: "IDD Status Reader Control Point"
    case 0x2B25: "IDD Command Control Point"
    case 0x2B26: "IDD Command Data"
    case 0x2B27: "IDD Record Access Control Point"
    case 0x2B28: "IDD History Data"
    case 0x2B29: "Client Supported Features"
    case 0x2B2A: "Database Hash"
    case 0x2B34: "Enhanced Blood Pressure Measurement"
    case 0x2B35: "Enhanced Intermediate Cuff Pressure"
    case 0x2B36: "Blood Pressure Record"
    case 0x2B37: "Registered User"
    case 0x2B3A: "Server Supported Features"
    case 0x2B8B: "Live Health Observations"
    case 0x2B8E: "Device Time Feature"
    case 0x2B8F: "Device Time Parameters"
    case 0x2B90: "Device Time"
    case 0x2B91: "Device Time Control Point"
    case 0x2B92: "Time Change Log Data"
    case 0x2BDD: "Stored Health Observations"
    case 0x2BF1: "Observation Schedule Changed"
    case 0x2BF2: "Elapsed Time"
    case 0x2BF3: "Health Sensor Features"
    case 0x2BF4: "GHS Control Point"
    case 0x2BF5: "LE GATT Security Levels"
    case 0x2BFF: "UDI for Medical Devices"
    default: nil
    }
  }

  /// The name of a declaration or descriptor (Core Vol 3 Part G 3), nil where it is not listed.
  public static func declarationOrDescriptorName(_ short: UInt16) -> String? {
    switch short {
    case 0x2800: "Primary Service"
    case 0x2801: "Secondary Service"
    case 0x2802: "Include"
    case 0x2803: "Characteristic"
    case 0x2900: "Characteristic Extended Properties"
    case 0x2901: "Characteristic User Description"
    case 0x2902: "Client Characteristic Configuration"
    case 0x2903: "Server Characteristic Configuration"
    case 0x2904: "Characteristic Presentation Format"
    case 0x2905: "Characteristic Aggregate Format"
    case 0x2906: "Valid Range"
    case 0x2910: "Observation Schedule"
    default: nil
    }
  }
}
