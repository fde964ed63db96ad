import BluetoothWire
import LinuxBluetooth
import Testing

@Suite struct AdvertisedDeviceTests {
  private let peer: [UInt8] = [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 0x02]

  private func device(_ data: [UInt8], rssi: UInt8 = 0xC4, flags: UInt8 = 0) -> AdvertisedDevice? {
    AdvertisedDevice(
      deviceFound: peer + [rssi, flags, 0, 0, 0, UInt8(data.count & 0xFF), UInt8(data.count >> 8)] + data
    )
  }

  @Test func aMeterIsRecognisedByItsService() throws {
    let data = AdvertisingEncoding.data(services: [0x1808, 0x180A], name: Array("GM-1".utf8))
    let meter = try #require(device(data))
    #expect(meter.address == ManagementCommandTests.meter)
    #expect(meter.signal == -60)
    #expect(meter.name == Array("GM-1".utf8))
    #expect(meter.services == [BluetoothUUID(0x1808), BluetoothUUID(0x180A)])
    #expect(meter.isHealthDevice)
    #expect(meter.isConnectable)
  }

  @Test func aMeterIsRecognisedByItsAppearance() {
    #expect(device([0x03, 0x19, 0x00, 0x04])?.isHealthDevice == true)
    #expect(device([0x03, 0x19, 0x40, 0x00])?.isHealthDevice == false)
  }

  @Test func anUnknownStrengthIsNone() {
    #expect(device([], rssi: 127)?.signal == nil)
    #expect(device([], rssi: 0xC4)?.signal == -60)
  }

  @Test func aStructureBeyondTheEndIsLeftOut() {
    let found = device([0x05, 0x09, 0x41, 0x42, 0x43, 0x44, 0x09, 0x03, 0x08, 0x18])
    #expect(found?.name == Array("ABCD".utf8))
    #expect(found?.services == [])
  }

  @Test func anEventShorterThanItSaysIsNone() {
    #expect(AdvertisedDevice(deviceFound: peer + [0xC4, 0, 0, 0, 0, 5, 0, 1, 2]) == nil)
    #expect(AdvertisedDevice(deviceFound: peer) == nil)
  }

  @Test func oneReportCompletesTheOther() throws {
    var response = try #require(device([0x05, 0x09, 0x47, 0x4D, 0x2D, 0x31]))
    let advertisement = try #require(device([0x03, 0x03, 0x08, 0x18, 0x03, 0x08, 0x47, 0x4D]))
    #expect(advertisement.isNameShortened)
    response.complete(from: advertisement)
    #expect(response.name == Array("GM-1".utf8))
    #expect(response.services == [BluetoothUUID(0x1808)])
  }

  @Test func longUUIDsAreReadLeastSignificantFirst() {
    let found = device([0x11, 0x07] + Array(UInt8(0x00)...0x0F))
    #expect(found?.services.map(\.description) == ["0F0E0D0C-0B0A-0908-0706-050403020100"])
  }
}
