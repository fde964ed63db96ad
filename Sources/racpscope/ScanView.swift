import BluetoothWire
import Glibc
import LinuxBluetooth
import Reporting

/// Shows a scan as it goes on: a table that is redrawn on a terminal, lines of JSON, or the table at the end.
struct ScanView {
  private let isJSON: Bool
  private let isBonded: (DeviceAddress) -> Bool?
  private let terminal = Terminal.behind(descriptor: 1)
  private var table: ScanTable
  private var output = OutputBuffer(descriptor: 1)
  private var devices: [DeviceAddress: ScannedDevice] = [:]
  private var isChanged = true
  private var lastDrawn: UInt64 = 0

  /// Redrawn at most so often, in nanoseconds.
  private static let interval: UInt64 = 500_000_000

  init(isJSON: Bool, isBonded: @escaping (DeviceAddress) -> Bool?) {
    self.isJSON = isJSON
    self.isBonded = isBonded
    table = ScanTable(terminal)
  }

  var isOpen: Bool { output.isOpen }

  mutating func take(_ device: AdvertisedDevice) {
    let known = devices[device.address]
    var scanned = ScannedDevice(
      address: device.address,
      name: device.name,
      signal: device.signal,
      services: device.services,
      isHealthDevice: device.isHealthDevice,
      isBonded: known.map(\.isBonded) ?? isBonded(device.address)
    )
    devices[device.address] = scanned
    isChanged = true
    guard isJSON else { return }
    // A line for what is new of a device; its strength changes with every packet.
    scanned.signal = known?.signal
    if scanned != known, let now = devices[device.address] { output = ScanTable.jsonLine(now, to: output) }
  }

  mutating func refresh() {
    if isJSON { return output.flush() }
    let now = MonotonicClock.now()
    guard terminal.isTerminal, isChanged, now - lastDrawn >= Self.interval else { return }
    lastDrawn = now
    isChanged = false
    table.redraw(Array(devices.values), limit: Self.rows, to: &output)
    output.flush()
  }

  mutating func finish() -> ExitStatus {
    if !isJSON {
      if terminal.isTerminal {
        table.redraw(Array(devices.values), limit: .max, to: &output)
      } else {
        table.write(Array(devices.values), to: &output)
      }
    }
    return Destination.standardOutput.end(output)
  }

  private static var rows: Int {
    var size = winsize()
    return unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 4 ? Int(size.ws_row) : 24
  }
}
