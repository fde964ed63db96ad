public import BluetoothWire

/// What an advertiser says of itself, as a Device Found event of the management interface gives it.
public struct AdvertisedDevice: Sendable, Equatable {
  public var address: DeviceAddress
  /// dBm; nil where the controller cannot tell.
  public var signal: Int8?
  /// The local name, as it stood on the air; nil where none was advertised.
  public var name: [UInt8]?
  /// True where `name` is a shortened one.
  public var isNameShortened = false
  public var services: [BluetoothUUID] = []
  public var appearance: UInt16?
  /// The company of its manufacturer data.
  public var company: UInt16?
  public var isConnectable: Bool

  /// The value that stands for an unknown signal strength.
  private static let unknownSignal: Int8 = 127

  /// Reads `address[6] · type u8 · RSSI s8 · flags u32 · length u16 · advertising data`.
  ///
  /// Structures of the advertising data that run over its end are left out (Core Supplement Part A 1).
  public init?(deviceFound octets: [UInt8]) {
    guard let fields = ManagementFields(octets, atLeast: 14), let address = fields.address(0) else { return nil }
    let length = Int(fields.u16(12))
    guard octets.count >= 14 + length else { return nil }
    self.address = address
    let signal = Int8(bitPattern: fields.u8(7))
    self.signal = signal == Self.unknownSignal || signal == 0 ? nil : signal
    isConnectable = fields.u32(8) & 0x04 == 0
    read(Array(octets[14..<(14 + length)]))
  }

  private mutating func read(_ data: [UInt8]) {
    var structures = AdvertisingStructures()
    while let (type, content) = unsafe structures.next(in: data.span.bytes) { take(type, Array(data[content])) }
  }

  private mutating func take(_ type: UInt8, _ content: [UInt8]) {
    switch type {
    case 0x02, 0x03: add(content, size: 2)
    case 0x06, 0x07: add(content, size: 16)
    case 0x08, 0x09:
      guard name == nil || (isNameShortened && type == 0x09) else { return }
      // Some devices fill the room for a name up with zeros.
      let text = content.prefix { $0 != 0 }
      guard !text.isEmpty else { return }
      name = Array(text)
      isNameShortened = type == 0x08
    case 0x19: if content.count == 2 { appearance = UInt16(content[0]) | UInt16(content[1]) << 8 }
    case 0xFF: if content.count >= 2 { company = UInt16(content[0]) | UInt16(content[1]) << 8 }
    default: break
    }
  }

  private mutating func add(_ list: [UInt8], size: Int) {
    for start in stride(from: 0, to: list.count - size + 1, by: size) {
      let value = list[start..<(start + size)].reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
      let service = size == 2 ? BluetoothUUID(UInt16(truncatingIfNeeded: value)) : BluetoothUUID(value: value)
      if !services.contains(service) { services.append(service) }
    }
  }

  /// Adds what an earlier report of the same device said and this one does not: name and services of a scan response.
  public mutating func complete(from earlier: AdvertisedDevice) {
    if name == nil || (isNameShortened && earlier.name != nil && !earlier.isNameShortened) {
      name = earlier.name
      isNameShortened = earlier.isNameShortened
    }
    for service in earlier.services where !services.contains(service) { services.append(service) }
    appearance = appearance ?? earlier.appearance
    company = company ?? earlier.company
    signal = signal ?? earlier.signal
    isConnectable = isConnectable || earlier.isConnectable
  }

  /// Services of health devices with measurements (assigned numbers).
  private static let healthServices: Set<UInt16> = [
    0x1808, 0x1809, 0x1810, 0x1822, 0x181B, 0x181D, 0x181F, 0x183A, 0x1840,
  ]

  /// True where it advertises a service of a health device, or its appearance says it is one.
  public var isHealthDevice: Bool {
    if services.contains(where: { $0.short.map(Self.healthServices.contains) ?? false }) { return true }
    // Thermometer, blood pressure, glucose meter, oximeter, weight scale, continuous glucose, insulin, by category.
    return appearance.map { [12, 14, 16, 49, 50, 52, 53].contains($0 >> 6) } ?? false
  }
}
