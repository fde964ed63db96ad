import BluetoothWire
import HealthProfiles
import Testing

struct NameTests {
  @Test func assignedNumbers() {
    #expect(AssignedNumbers.name(of: BluetoothUUID(0x1808)) == "Glucose")
    #expect(AssignedNumbers.name(of: BluetoothUUID(0x2A18)) == "Glucose Measurement")
    #expect(AssignedNumbers.name(of: BluetoothUUID(0x2902)) == "Client Characteristic Configuration")
    #expect(AssignedNumbers.name(of: BluetoothUUID(0x2803)) == "Characteristic")
    #expect(AssignedNumbers.name(of: BluetoothUUID(0xFFF0)) == nil)
    #expect(AssignedNumbers.name(of: BluetoothUUID(value: 1)) == nil)
    #expect(AssignedNumbers.serviceName(0x2A18) == nil)
    #expect(AssignedNumbers.attributeName(0x1808) == nil)
    #expect(AssignedNumbers.label(0x2A18) == "measurement")
    #expect(AssignedNumbers.label(0x2A34) == "context")
    #expect(AssignedNumbers.label(0x2A51) == "feature")
    #expect(AssignedNumbers.label(0x2A52) == "record access")
    #expect(AssignedNumbers.label(0x2B27) == "record access")
  }

  @Test func labelsAreOfListedAttributesOnly() {
    var labels = 0
    var services = 0
    for short in UInt16.min...UInt16.max {
      if AssignedNumbers.serviceName(short) != nil {
        services += 1
        #expect(AssignedNumbers.attributeName(short) == nil)
      }
      if AssignedNumbers.label(short) != nil {
        labels += 1
        #expect(AssignedNumbers.attributeName(short) != nil)
      }
    }
    #expect(services == 36)
    #expect(labels > 30)
  }

  @Test func theSameErrorCodeMeansAnotherThingInEachService() {
    #expect(ProfileErrors.profileErrorName(code: 0x80, service: 0x1808) == "procedure already in progress")
    #expect(ProfileErrors.profileErrorName(code: 0x81, service: 0x1808) == "CCCD improperly configured")
    #expect(ProfileErrors.profileErrorName(code: 0x80, service: 0x181F) == "missing CRC")
    #expect(ProfileErrors.profileErrorName(code: 0x81, service: 0x183A) == "invalid CRC")
    #expect(ProfileErrors.profileErrorName(code: 0x80, service: 0x1822) == "application error 0x80")
    #expect(ProfileErrors.profileErrorName(code: 0x80, service: nil) == "application error 0x80")
    #expect(ProfileErrors.profileErrorName(code: 0xFE, service: 0x1808) == "procedure already in progress")
    #expect(ProfileErrors.profileErrorName(code: 0xFD, service: nil) == "CCCD improperly configured")
  }
}
