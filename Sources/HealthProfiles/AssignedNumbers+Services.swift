extension AssignedNumbers {
  /// True for a service of health devices with measurements, heart rate straps left out.
  public static func isHealthService(_ short: UInt16) -> Bool {
    switch short {
    case 0x1808, 0x1809, 0x1810, 0x1822, 0x181B, 0x181D, 0x181F, 0x183A, 0x1840: true
    default: false
    }
  }

  /// The name of a service, nil where it is not listed.
  public static func serviceName(_ short: UInt16) -> String? {
    switch short {
    case 0x1800: "Generic Access"
    case 0x1801: "Generic Attribute"
    case 0x1802: "Immediate Alert"
    case 0x1803: "Link Loss"
    case 0x1804: "Tx Power"
    case 0x1805: "Current Time"
    case 0x1806: "Reference Time Update"
    case 0x1807: "Next DST Change"
    case 0x1808: "Glucose"
    case 0x1809: "Health Thermometer"
    case 0x180A: "Device Information"
    case 0x180D: "Heart Rate"
    case 0x180E: "Phone Alert Status"
    case 0x180F: "Battery"
    case 0x1810: "Blood Pressure"
    case 0x1811: "Alert Notification"
    case 0x1812: "Human Interface Device"
    case 0x1813: "Scan Parameters"
    case 0x1814: "Running Speed and Cadence"
    case 0x1816: "Cycling Speed and Cadence"
    case 0x1818: "Cycling Power"
    case 0x1819: "Location and Navigation"
    case 0x181A: "Environmental Sensing"
    case 0x181B: "Body Composition"
    case 0x181C: "User Data"
    case 0x181D: "Weight Scale"
    case 0x181E: "Bond Management"
    case 0x181F: "Continuous Glucose Monitoring"
    case 0x1822: "Pulse Oximeter"
    case 0x1825: "Object Transfer"
    case 0x1826: "Fitness Machine"
    case 0x1829: "Reconnection Configuration"
    case 0x183A: "Insulin Delivery"
    case 0x183F: "Elapsed Time"
    case 0x1840: "Generic Health Sensor"
    case 0x1847: "Device Time"
    default: nil
    }
  }
}
