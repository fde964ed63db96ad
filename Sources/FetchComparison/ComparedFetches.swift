import BluetoothWire

/// Two sides put beside each other, device by device.
public struct ComparedFetches: Sendable {
  public let first: ComparedSide
  public let second: ComparedSide
  /// Devices of the first side in their order, then those that only the second side has.
  public let devices: [DeviceComparison]
  /// True where devices were not told apart.
  public let ignoresIdentity: Bool

  public init(_ left: ComparedSide, _ right: ComparedSide, ignoringIdentity: Bool = false) {
    ignoresIdentity = ignoringIdentity
    var first = left
    var second = right
    if !ignoringIdentity { Self.settle(&first, &second) }
    var pairs: [(Int?, Int?)] = []
    var taken: Set<Int> = []
    for (position, device) in first.devices.enumerated() {
      let match = second.devices.firstIndex(where: { ignoringIdentity || $0.address == device.address })
      if let match { taken.insert(match) }
      pairs.append((position, match))
    }
    for position in second.devices.indices where !taken.contains(position) { pairs.append((nil, position)) }
    var devices: [DeviceComparison] = []
    for (one, other) in pairs { devices.append(DeviceComparison(one, other, first, second)) }
    self.devices = devices
    self.first = first
    self.second = second
  }

  /// Links whose device no capture shows are taken for the only one there is; with several they stay by themselves.
  private static func settle(_ first: inout ComparedSide, _ second: inout ComparedSide) {
    let known = Set((first.devices + second.devices).compactMap(\.address))
    guard known.count <= 1 else { return }
    first.adoptUnknown(as: known.first)
    second.adoptUnknown(as: known.first)
  }

  /// True where either side holds a record.
  public var hasRecords: Bool { devices.contains { $0.hasRecords } }

  /// Records of the second side that the first one lacks.
  public var missingFromFirst: Int { devices.reduce(0) { $0 + $1.alignment.onlySecond.count } }

  /// True where both sides hold records and none of one is on the other.
  public var alignsNothing: Bool {
    first.recordCount > 0 && second.recordCount > 0 && devices.allSatisfy { $0.alignment.common == 0 }
  }
}
